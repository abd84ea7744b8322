import { randomUUID } from 'node:crypto';

import type { History } from './history.ts';
import type { Agent, Call, Client, Outcome } from './client.ts';
import { microsOf, type Good } from './market.ts';
import type { Random } from '../random.ts';
import { OPERATOR_TOKEN } from '../deployment.ts';

/** An order as it must be, from the replies to its buyer. Micro-dollars. */
export interface ExpectedOrder {
  readonly id: number;
  readonly good: Good;
  readonly quantity: number;
  readonly subtotal: number;
  readonly fee: number;
  status: 'escrow' | 'disputed' | 'completed' | 'refunded' | 'partially_refunded';
  refunded: number;
  /** Its vault was opened. */
  opened: boolean;
}

/** By the last part of their paths. */
const OPERATIONS = {
  confirm: 'confirm_order',
  refund: 'refund_order',
  dispute: 'dispute_order',
  'dispute/respond': 'respond_dispute',
  'dispute/withdraw': 'withdraw_dispute',
} as const;
type Action = keyof typeof OPERATIONS;

const OPERATOR: Agent = { id: 0, token: OPERATOR_TOKEN };

interface BuyerTools {
  readonly agent: Agent;
  readonly client: Client;
  readonly random: Random;
  readonly history: History;
  readonly wrong: (what: string) => void;
  /** Adds to the balance of the buyer. */
  readonly pay: (micros: number) => void;
}

/**
 * Everything that buyers, sellers and the operator do to an order. One client drives an order, so
 * that it knows at any time what it must be.
 */
export function actionsOn({ agent, client, random, history, wrong, pay }: BuyerTools) {
  async function post(caller: Agent, order: ExpectedOrder, action: Action, body: object = {}) {
    const operation = OPERATIONS[action];
    const route = `POST /api/v1/orders/${order.id}/${action}`;
    const key = `${operation}-${randomUUID()}`;
    const answer = await client({ agent: caller, operation, route, body, key });
    expectDone(order, operation, answer);
    history.performed[operation] = (history.performed[operation] ?? 0) + 1;
  }

  function expectDone({ id, status }: ExpectedOrder, operation: string, answer: Outcome): void {
    if (answer?.status === 200) return;
    wrong(`${operation} of order ${id}, ${status}, answered ${answer?.status}: ${answer?.text}`);
  }

  /** The effect of `settle` on an escrow of which the seller earns this amount. */
  function settle(order: ExpectedOrder, earned: number): void {
    const { subtotal, fee, good } = order;
    order.refunded = subtotal + fee - earned - Math.floor((fee * earned) / subtotal);
    order.status =
      earned === 0 ? 'refunded' : earned === subtotal ? 'completed' : 'partially_refunded';
    good.seller.earned += earned;
    pay(order.refunded);
  }

  async function openVault(order: ExpectedOrder): Promise<void> {
    const route = `GET /vault/${order.id}`;
    const answer = await client({ agent, operation: 'get_vault_item', route, repeatable: true });
    expectDone(order, 'get_vault_item', answer);
    order.opened = true;
    if (!order.good.isSerial || answer?.status !== 200) return;
    const items: { content: string }[] = answer.body.items;
    if (items.length !== order.quantity) wrong(`order ${order.id} delivered ${items.length} units`);
    for (const { content } of items) {
      const owner = history.units.get(content) ?? order.id;
      if (owner !== order.id) wrong(`${content} is in the vaults of orders ${owner}, ${order.id}`);
      history.units.set(content, owner);
    }
  }

  async function decide(order: ExpectedOrder): Promise<void> {
    const earned = random.pick([0, order.subtotal, Math.floor(order.subtotal / 2)]);
    const isSplit = earned > 0 && earned < order.subtotal;
    const call: Call = {
      agent: OPERATOR,
      operation: 'decide_dispute',
      route: `POST /api/v1/admin/disputes/order/${order.id}/verdict`,
      body: {
        verdict: isSplit ? 'split' : earned > 0 ? 'release' : 'refund',
        ...(isSplit && { seller_amount: earned / 1e6 }),
        note: 'Decided during a drill.',
      },
      repeatable: true,
    };
    const answer = await client(call);
    // The operator has no keys: a repeat gets 409 when its lost first call had decided.
    if (!(answer?.status === 409 && answer.uncertain)) expectDone(order, 'decide_dispute', answer);
    history.performed.decide_dispute = (history.performed.decide_dispute ?? 0) + 1;
    settle(order, earned);
  }

  const refund = async (order: ExpectedOrder, caller: Agent) => {
    await post(caller, order, 'refund');
    settle(order, 0);
  };
  const IN_ESCROW = {
    open: 4,
    confirm: 4,
    refund: 2,
    refundBySeller: 1,
    dispute: 2,
  } as const;
  const IN_DISPUTE = { open: 1, respond: 1, withdraw: 2, decide: 3, refundBySeller: 1 } as const;
  const actions = {
    open: openVault,
    async confirm(order: ExpectedOrder) {
      await post(agent, order, 'confirm');
      settle(order, order.subtotal);
    },
    refund: (order: ExpectedOrder) => (order.opened ? openVault(order) : refund(order, agent)),
    refundBySeller: (order: ExpectedOrder) => refund(order, order.good.seller),
    async dispute(order: ExpectedOrder) {
      await post(agent, order, 'dispute', { reason: 'It came during a drill.' });
      order.status = 'disputed';
    },
    async respond(order: ExpectedOrder) {
      await post(order.good.seller, order, 'dispute/respond', { response: 'It is complete.' });
      await decide(order);
    },
    async withdraw(order: ExpectedOrder) {
      await post(agent, order, 'dispute/withdraw');
      settle(order, order.subtotal);
    },
    decide,
  };

  return {
    any: (order: ExpectedOrder) =>
      actions[
        random.weighted<keyof typeof actions>(
          (order.status === 'escrow' ? IN_ESCROW : IN_DISPUTE) as Record<
            keyof typeof actions,
            number
          >,
        )
      ](order),
    async read(order: ExpectedOrder) {
      const route = `GET /api/v1/orders/${order.id}`;
      const { body } =
        (await client({ agent, operation: 'get_order', route, repeatable: true })) ?? {};
      if (body?.status !== order.status || microsOf(body?.refunded) !== order.refunded) {
        wrong(`order ${order.id} is shown as ${body?.status}, and must be ${order.status}`);
      }
    },
  };
}
