import { randomUUID } from 'node:crypto';

import type { History } from './history.ts';
import type { Answer, Call, Line, Party } from './client.ts';
import { microsOf, type Good, type Market } from './market.ts';
import { actionsOn, type Bought } from './orders.ts';
import type { Random } from './random.ts';

/** A purchase of which nobody knows whether it happened, or will. */
export interface Doubt {
  readonly good: Good;
  readonly quantity: number;
}

/** A client with its own idea, from what it was told, of what its wallet and orders must be. */
export interface Shopper {
  readonly party: Party;
  readonly balance: () => number;
  readonly orders: ReadonlyMap<number, Bought>;
  readonly doubts: readonly Doubt[];
  /** Does one thing, and knows what became of it. */
  act(): Promise<void>;
}

const STEPS = { buy: 5, act: 5, readWallet: 2, readOrder: 1 } as const;
/** One purchase in so many is made without an Idempotency-Key. */
const KEYLESS_ONE_IN = 7;
/** And one in so many is asked for twice at the same time, as an impatient client does. */
const TWICE_ONE_IN = 10;

export function openShopper(
  { goods }: Market,
  { party, funds }: { party: Party; funds: number },
  { line, random, history }: { line: Line; random: Random; history: History },
): Shopper {
  let balance = funds;
  const orders = new Map<number, Bought>();
  const doubts: Doubt[] = [];

  const wrong = (what: string) => void history.violations.push(`agent ${party.id}: ${what}`);
  const pay = (micros: number) => (balance += micros);
  const actions = actionsOn({ party, line, random, history, wrong, pay });

  async function buy(): Promise<void> {
    const good = random.pick(goods);
    const quantity = 1 + random.below(3);
    const key = random.below(KEYLESS_ONE_IN) === 0 ? undefined : `buy-${randomUUID()}`;
    const call: Call = {
      party,
      operation: 'purchase_product',
      route: 'POST /api/v1/orders',
      body: { product_id: good.id, quantity },
      key,
    };
    const twice = key && random.below(TWICE_ONE_IN) === 0;
    const [answer, other] = await Promise.all([
      line(call, random.pick([0, 2, 5])),
      twice ? line(call) : undefined,
    ]);
    const bought = [answer, other].find((one) => one?.status === 200);
    if (bought) return take({ good, quantity }, bought);
    if (!answer || answer.doubtful || twice) doubts.push({ good, quantity });
    if (answer) judge({ good, quantity }, answer);
  }

  function take({ good, quantity }: Doubt, { body }: Answer): void {
    const subtotal = good.price * quantity;
    const fee = Math.floor((subtotal + 5) / 10);
    if (microsOf(body.total_due) !== subtotal + fee) wrong(`paid ${body.total_due} for ${good.id}`);
    if (orders.has(body.order_id)) wrong(`order ${body.order_id} was sold twice`);
    balance -= subtotal + fee;
    const order = { id: body.order_id, good, quantity, subtotal, fee };
    orders.set(order.id, { ...order, status: 'escrow', refunded: 0, opened: false });
    history.moved.purchase_product = (history.moved.purchase_product ?? 0) + 1;
  }

  /** Whether a refusal is one that this purchase can have had. */
  function judge({ good, quantity }: Doubt, { status, body }: Answer): void {
    const total = good.price * quantity * 1.1;
    if (status === 400 && body.error === 'out_of_stock') return;
    const isPoor = status === 402 && body.error === 'insufficient_balance';
    if (isPoor && (balance <= total || doubts.length > 0)) return;
    wrong(`buying ${quantity} of ${good.id} with ${balance} was refused: ${body.error}`);
  }

  const isOpen = ({ status }: Bought) => status === 'escrow' || status === 'disputed';
  const open = () => [...orders.values()].filter(isOpen);

  async function readWallet(): Promise<void> {
    const answer = await line({
      party,
      operation: 'get_wallet',
      route: 'GET /api/v1/wallet',
      repeatable: true,
    });
    if (doubts.length > 0) return;
    const held = open().reduce((sum, { subtotal, fee }) => sum + subtotal + fee, 0);
    const found = [answer?.body.balance, answer?.body.in_escrow].map(microsOf);
    if (found[0] !== balance || found[1] !== held) {
      wrong(`the wallet shows ${found.join(' and ')}, and must hold ${balance} and ${held}`);
    }
  }

  return {
    party,
    balance: () => balance,
    orders,
    doubts,
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
