import { randomUUID } from 'node:crypto';

import type { History } from './history.ts';
import type { Agent, Answer, Call, Client } from './client.ts';
import { microsOf, type Good, type Market } from './market.ts';
import { actionsOn, type ExpectedOrder } from './orders.ts';
import type { Random } from '../random.ts';

/** A purchase whose outcome is unknown: it may have happened, or may still happen. */
export interface UncertainPurchase {
  readonly good: Good;
  readonly quantity: number;
}

/** A buyer that computes from the replies what its wallet and orders must be. */
export interface SimulatedBuyer {
  readonly agent: Agent;
  readonly balance: () => number;
  readonly orders: ReadonlyMap<number, ExpectedOrder>;
  readonly uncertain: readonly UncertainPurchase[];
  /** Makes one call and updates what it expects. */
  act(): Promise<void>;
}

const STEPS = { buy: 5, act: 5, readWallet: 2, readOrder: 1 } as const;
/** One purchase in this number is made without an Idempotency-Key. */
const KEYLESS_ONE_IN = 7;
/** One purchase in this number is sent twice at the same time, as some clients do. */
const TWICE_ONE_IN = 10;

export function simulateBuyer(
  { goods }: Market,
  { agent, funds }: { agent: Agent; funds: number },
  { client, random, history }: { client: Client; random: Random; history: History },
): SimulatedBuyer {
  let balance = funds;
  const orders = new Map<number, ExpectedOrder>();
  const uncertain: UncertainPurchase[] = [];

  const wrong = (what: string) => void history.violations.push(`agent ${agent.id}: ${what}`);
  const pay = (micros: number) => (balance += micros);
  const actions = actionsOn({ agent, client, random, history, wrong, pay });

  async function buy(): Promise<void> {
    const good = random.pick(goods);
    const quantity = 1 + random.below(3);
    const key = random.below(KEYLESS_ONE_IN) === 0 ? undefined : `buy-${randomUUID()}`;
    const call: Call = {
      agent,
      operation: 'purchase_product',
      route: 'POST /api/v1/orders',
      body: { product_id: good.id, quantity },
      key,
    };
    const twice = key && random.below(TWICE_ONE_IN) === 0;
    const [answer, other] = await Promise.all([
      client(call, random.pick([0, 2, 5])),
      twice ? client(call) : undefined,
    ]);
    const bought = [answer, other].find((one) => one?.status === 200);
    if (bought) return addOrder({ good, quantity }, bought);
    if (!answer || answer.uncertain || twice) uncertain.push({ good, quantity });
    if (answer) checkRefusal({ good, quantity }, answer);
  }

  function addOrder({ good, quantity }: UncertainPurchase, { body }: Answer): void {
    const subtotal = good.price * quantity;
    const fee = Math.floor((subtotal + 5) / 10);
    if (microsOf(body.total_due) !== subtotal + fee) wrong(`paid ${body.total_due} for ${good.id}`);
    if (orders.has(body.order_id)) wrong(`order ${body.order_id} was sold twice`);
    balance -= subtotal + fee;
    const order = { id: body.order_id, good, quantity, subtotal, fee };
    orders.set(order.id, { ...order, status: 'escrow', refunded: 0, opened: false });
    history.performed.purchase_product = (history.performed.purchase_product ?? 0) + 1;
  }

  /** Notes a violation if this purchase could not have got this refusal. */
  function checkRefusal({ good, quantity }: UncertainPurchase, { status, body }: Answer): void {
    const total = good.price * quantity * 1.1;
    if (status === 400 && body.error === 'out_of_stock') return;
    const isPoor = status === 402 && body.error === 'insufficient_balance';
    if (isPoor && (balance <= total || uncertain.length > 0)) return;
    wrong(`buying ${quantity} of ${good.id} with ${balance} was refused: ${body.error}`);
  }

  const isOpen = ({ status }: ExpectedOrder) => status === 'escrow' || status === 'disputed';
  const open = () => [...orders.values()].filter(isOpen);

  async function readWallet(): Promise<void> {
    const answer = await client({
      agent,
      operation: 'get_wallet',
      route: 'GET /api/v1/wallet',
      repeatable: true,
    });
    if (uncertain.length > 0) return;
    const held = open().reduce((sum, { subtotal, fee }) => sum + subtotal + fee, 0);
    const found = [answer?.body.balance, answer?.body.in_escrow].map(microsOf);
    if (found[0] !== balance || found[1] !== held) {
      wrong(`the wallet shows ${found.join(' and ')}, and must hold ${balance} and ${held}`);
    }
  }

  return {
    agent,
    balance: () => balance,
    orders,
    uncertain,
    async act() {
      const step = random.weighted(STEPS);
      const [order] = open().length > 0 ? [random.pick(open())] : [];
      if (step === 'readWallet') await readWallet();
      else if (step === 'buy' || !order) await buy();
      else if (step === 'readOrder') await actions.read(order);
      else await actions.any(order);
    },
  };
}
