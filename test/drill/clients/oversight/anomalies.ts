import { countsOf } from '../../calls/history.ts';
import type { Agent } from '../../calls/call.ts';
import type { Answer } from '../../calls/client.ts';
import type { Domain } from '../domain.ts';
import { microsOf, type Good } from '../goods.ts';
import { compareBarred, spawnChild } from './child.ts';

/** Purchases of one product within three minutes that are odd, and not yet. */
const PURCHASES = 6;
/** No other client buys so many at once: these orders are told apart from others'. */
const QUANTITY = 4;
/** More than twice so many are odd, of which a process that is killed counts none. */
const REFUSALS_A_STEP = 12;
const EMAIL = { email: 'ada@example.com' };

interface OddOrder {
  readonly id: number;
  readonly total: number;
  status: 'escrow' | 'refunded';
  isOpened: boolean;
  /** A call about it has no answer yet. */
  isWaiting: boolean;
}

interface OddChild {
  readonly agent: Agent;
  readonly orders: OddOrder[];
  readonly rule: 'same_purchase' | 'refusal_burst';
  isBuying: boolean;
  isBarred: boolean;
  /** It was resumed, or its root has too little money. */
  isDone: boolean;
}

/**
 * Buyers have an agent that behaves oddly, by a burst of purchases or of refused spends, until it
 * is suspended. What it has bought before is its own all the same, and then its owner resumes it.
 */
export const anomalies: Domain = {
  by: 'buyers',
  open(trader, { goods }) {
    const { agent, client, random, history, wallet, wrong } = trader;
    const good = goods.find(({ kind }) => kind === 'unlimited')!;
    const children: OddChild[] = [];

    async function owner(operation: string, input: Record<string, unknown>): Promise<void> {
      const answer = await client({ agent, operation, input, key: trader.newKey(operation) });
      if (answer?.status !== 200) wrong(`${operation} was refused: ${answer?.text}`);
    }

    async function open(): Promise<OddChild> {
      const spawned = await spawnChild(trader, 'z');
      const rule = random.pick(['same_purchase', 'same_purchase', 'refusal_burst'] as const);
      await owner('set_policy', { agent_id: spawned.id, auto_suspend_on_anomaly: true });
      const fresh = { isBuying: false, isBarred: false, isDone: false };
      const child = { agent: spawned, rule, orders: [], ...fresh };
      children.push(child);
      return child;
    }

    /** The next thing that it does. */
    async function goOn(): Promise<void> {
      const child = children.find(({ isDone }) => !isDone) ?? (await open());
      const isBusy = () =>
        child.isDone || child.isBuying || child.orders.some((one) => one.isWaiting);
      const wanted = child.rule === 'same_purchase' ? PURCHASES : 1;
      while (!isBusy() && child.orders.length < wanted) await buy(child, good);
      if (isBusy()) return;
      if (child.rule === 'refusal_burst' && !(await isSuspended(child))) {
        for (let n = 0; n < REFUSALS_A_STEP; n += 1) await beRefused(child);
      }
      if (!(await isSuspended(child))) return;
      await useWhatIsOwned(child);
      if (child.orders.every(({ status }) => status === 'refunded')) await resume(child);
    }

    async function buy(by: OddChild, { id, price, content }: Good): Promise<void> {
      const operation = 'purchase_product';
      const input = { product_id: id, quantity: QUANTITY };
      const key = trader.newKey(operation);
      by.isBuying = true;
      await trader.perform({ agent: by.agent, operation, input, key }, ({ status, body, text }) => {
        by.isBuying = false;
        const total = price * QUANTITY + Math.floor((price * QUANTITY + 5) / 10);
        const isPoor = status === 402 && body.error === 'insufficient_balance';
        if (isPoor && (wallet.micros < total || trader.hasDoubts())) {
          by.isDone = true;
          return;
        }
        if (status !== 200) return wrong(`${by.agent.id} bought ${content} and got ${text}`);
        if (microsOf(body.total_due) !== total) wrong(`${by.agent.id} paid ${body.total_due}`);
        wallet.micros -= total;
        const fresh = { status: 'escrow' as const, isOpened: false, isWaiting: false };
        by.orders.push({ id: body.order_id, total, ...fresh });
      });
    }

    const spend = ({ agent: by }: OddChild) => {
      const operation = 'validate_email';
      return client({ agent: by, operation, input: EMAIL, key: trader.newKey(operation) });
    };

    async function beRefused(by: OddChild): Promise<void> {
      if (!by.isBarred) await owner('set_policy', { agent_id: by.agent.id, max_spend_per_tx: 0 });
      by.isBarred = true;
      const { body, text } = (await spend(by))!;
      if (!['tx_limit_exceeded', 'agent_suspended'].includes(body.error)) wrong(`it got ${text}`);
    }

    const monitored = async (by: OddChild): Promise<Answer> => {
      const input = { agent_id: by.agent.id };
      return (await client({ agent, operation: 'monitor_agent', input, repeatable: true }))!;
    };

    async function isSuspended(by: OddChild): Promise<boolean> {
      const { body } = await monitored(by);
      if (body.status !== 'suspended') return false;
      const rules: string[] = body.anomalies.map(({ rule }: { rule: string }) => rule);
      if (!rules.includes(by.rule)) wrong(`${by.agent.id}: ${rules.join()} and not ${by.rule}`);
      return true;
    }

    /** Suspended, it opens its vaults and has refunds. */
    async function useWhatIsOwned(by: OddChild): Promise<void> {
      for (const order of by.orders.filter(({ status }) => status === 'escrow')) {
        if (random.below(2)) await openVault(by, order);
        await refund(by, order);
      }
    }

    /** Suspended, it spends nothing; then it goes on. */
    async function resume(by: OddChild): Promise<void> {
      const { body, text } = (await spend(by))!;
      if (body.error !== 'agent_suspended') wrong(`${by.agent.id} is suspended, and got ${text}`);
      await owner('resume_agent', { agent_id: by.agent.id });
      by.isDone = true;
      const counts = countsOf(history, 'anomaly');
      counts.calls += 1;
      counts.answered += 1;
      counts.performed += 1;
    }

    async function openVault({ agent: by }: OddChild, order: OddOrder): Promise<void> {
      const input = { order_id: order.id };
      const call = { agent: by, operation: 'get_vault_item', input, repeatable: true };
      const { status, body, text } = (await client(call))!;
      const contents =
        status === 200 && body.items.map((item: { content: string }) => item.content);
      if (contents[0] !== good.content) wrong(`a suspended agent opened ${text}`);
      order.isOpened = true;
    }

    /** By the buyer; by the seller once the vault was opened. */
    async function refund({ agent: by }: OddChild, order: OddOrder): Promise<void> {
      const operation = 'refund_order';
      const caller = order.isOpened ? good.seller : by;
      const key = trader.newKey(operation);
      order.isWaiting = true;
      const call = { agent: caller, operation, input: { order_id: order.id }, key };
      await trader.perform(call, ({ status, text }) => {
        order.isWaiting = false;
        if (status !== 200) return wrong(`order ${order.id} was not refunded: ${text}`);
        order.status = 'refunded';
        wallet.micros += order.total;
      });
    }

    const orders = () => children.flatMap((one) => one.orders);

    return {
      steps: [{ weight: 1, run: goOn }],
      held: () =>
        orders().reduce((sum, { status, total }) => sum + (status === 'escrow' ? total : 0), 0),
      async compare(comparison) {
        const { database, same } = comparison;
        for (const one of children) {
          const found = await database.query(
            `select id::int, (subtotal + fee)::int as total, status from orders
              where buyer_id = $1 order by id`,
            [one.agent.id],
          );
          const told = one.orders.map(({ id, total, status }) => ({ id, total, status }));
          same('odd agents', `orders of agent ${one.agent.id}`, { found, told });
          await compareBarred(comparison, one.agent);
        }
      },
    };
  },
};
