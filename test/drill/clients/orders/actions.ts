import { OPERATOR, type Agent, type Call } from '../../calls/call.ts';
import type { Answer, Outcome } from '../../calls/client.ts';
import { countsOf } from '../../calls/history.ts';
import { microsOf, type ExpectedOrder } from '../goods.ts';
import type { Market } from '../market.ts';
import type { OrderAction } from './decks.ts';
import type { Trader } from '../trader.ts';

const isAnswered = ({ events }: ExpectedOrder) => events.includes('order.dispute_answered');

/**
 * Everything that buyers, sellers, the operator and timers do to an order. One client drives an
 * order, so that it knows at any time what it must be.
 */
export function actionsOn(trader: Trader, market: Market) {
  const { agent, client, random, history, wrong } = trader;

  async function act(
    caller: Agent,
    order: ExpectedOrder,
    { operation, input = {} }: { operation: string; input?: object },
    then: () => void,
  ): Promise<void> {
    const key = trader.newKey(operation);
    const call = { agent: caller, operation, input: { order_id: order.id, ...input }, key };
    order.isWaiting = true;
    await trader.perform(call, (answer) => {
      order.isWaiting = false;
      if (isDone(order, operation, answer)) then();
    });
  }

  function isDone({ id, status }: ExpectedOrder, operation: string, answer: Outcome): boolean {
    if (answer?.status === 200) return true;
    wrong(`${operation} of order ${id}, ${status}, answered ${answer?.status}: ${answer?.text}`);
    return false;
  }

  /** The effect of `settle` on an escrow of which the seller earns this amount. */
  function settle(order: ExpectedOrder, earned: number): void {
    const { subtotal, fee, good } = order;
    order.refunded = subtotal + fee - earned - Math.floor((fee * earned) / subtotal);
    order.status =
      earned === 0 ? 'refunded' : earned === subtotal ? 'completed' : 'partially_refunded';
    order.events.push(`order.${order.status}`);
    good.seller.wallet.micros += earned;
    trader.wallet.micros += order.refunded;
  }

  async function openVault(order: ExpectedOrder): Promise<void> {
    const operation = 'get_vault_item';
    const { sent, answered } = order.openings;
    const call = { agent, operation, input: { order_id: order.id }, repeatable: true };
    const answer = await client(call, { onSend: (id) => sent.push(id) });
    if (!isDone(order, operation, answer)) return;
    answered.push(answer!.requestId!);
    noteContents(order, answer!);
  }

  function noteContents(order: ExpectedOrder, { body }: Answer): void {
    const contents = (body.items as { content: string }[]).map(({ content }) => content);
    if (!order.contents) order.events.push('order.revealed');
    else if (order.contents.join('\n') !== contents.join('\n')) {
      wrong(`order ${order.id} delivers something else now: ${contents.join(', ')}`);
    }
    order.contents = contents;
    if (order.good.kind !== 'serial_pool') return;
    for (const content of contents) {
      const owner = market.units.get(content) ?? order.id;
      if (owner !== order.id) wrong(`${content} is in the vaults of orders ${owner}, ${order.id}`);
      market.units.set(content, owner);
    }
  }

  async function decide(order: ExpectedOrder): Promise<void> {
    const earned = random.pick([0, order.subtotal, Math.floor(order.subtotal / 2)]);
    const isSplit = earned > 0 && earned < order.subtotal;
    const operation = 'decide_dispute';
    const call: Call = {
      agent: OPERATOR,
      operation,
      input: {
        order_id: order.id,
        verdict: isSplit ? 'split' : earned > 0 ? 'release' : 'refund',
        ...(isSplit && { seller_amount: earned / 1e6 }),
        note: 'Decided during a drill.',
      },
      repeatable: true,
    };
    const answer = await client(call);
    // The operator has no keys: a repeat gets 409 when its lost first call had decided.
    if (!(answer?.status === 409 && answer.uncertain)) isDone(order, operation, answer);
    settle(order, earned);
  }

  const refund = (order: ExpectedOrder, caller: Agent) =>
    act(caller, order, { operation: 'refund_order' }, () => settle(order, 0));

  const dispute = (order: ExpectedOrder) =>
    act(
      agent,
      order,
      { operation: 'dispute_order', input: { reason: 'It came during a drill.' } },
      () => {
        order.status = 'disputed';
        order.events.push('order.disputed');
      },
    );

  /** The time of a timer comes, which does to the order what must be done. */
  async function fallDue(
    order: ExpectedOrder,
    {
      timer,
      earned,
    }: { timer: 'release_due_orders' | 'refund_unanswered_disputes'; earned: number },
  ): Promise<void> {
    order.isWaiting = true;
    await market.dueTimes!.makeDue(timer, order.id);
    countsOf(history, timer).calls += 1;
    trader.expect(timer, async () => {
      const input = { order_id: order.id };
      const before = order.status;
      let shown: string;
      for (;;) {
        const answer = await client({ agent, operation: 'get_order', input, repeatable: true });
        shown = answer!.body.status;
        if (shown !== before) break;
        await client.pause(timer);
      }
      order.isWaiting = false;
      settle(order, earned);
      if (shown !== order.status) wrong(`${timer} left order ${order.id} ${shown}`);
      countsOf(history, timer).answered += 1;
      countsOf(history, timer).performed += 1;
    });
  }

  const actions: Record<OrderAction, (order: ExpectedOrder) => Promise<void>> = {
    open: openVault,
    confirm: (order) =>
      act(agent, order, { operation: 'confirm_order' }, () => settle(order, order.subtotal)),
    refund: (order) => (order.contents ? openVault(order) : refund(order, agent)),
    refundBySeller: (order) => refund(order, order.good.seller),
    dispute,
    async respond(order) {
      if (isAnswered(order)) return decide(order);
      const input = { response: 'It is complete.' };
      await act(order.good.seller, order, { operation: 'respond_dispute', input }, () => {
        order.events.push('order.dispute_answered');
      });
    },
    withdraw: (order) =>
      act(agent, order, { operation: 'withdraw_dispute' }, () => settle(order, order.subtotal)),
    decide,
    release: (order) => fallDue(order, { timer: 'release_due_orders', earned: order.subtotal }),
    leaveUnanswered: (order) =>
      // The seller's answer stops that timer.
      isAnswered(order)
        ? decide(order)
        : fallDue(order, { timer: 'refund_unanswered_disputes', earned: 0 }),
  };

  return {
    act: (order: ExpectedOrder): Promise<void> =>
      actions[market.nextAction[order.status === 'disputed' ? 'disputed' : 'escrow']()](order),
    read: async (order: ExpectedOrder): Promise<void> => {
      const input = { order_id: order.id };
      const answer = await client({ agent, operation: 'get_order', input, repeatable: true });
      const { status, refunded } = answer!.body;
      if (status !== order.status || microsOf(refunded) !== order.refunded) {
        wrong(`order ${order.id} is shown as ${status}, and must be ${order.status}`);
      }
    },
  };
}
