/** The rules of orders and money, without a database, a queue or HTTP. */

export interface Member {
  readonly id: number;
  readonly key: string;
  /** The agent and everyone above it. */
  readonly lineage: readonly Member[];
  /** Funds of the whole tree, in micro-dollars. */
  readonly locked: Funds;
  /** Today, by it and everyone below it. */
  spent: bigint;
  limits: Limits;
}
interface Funds {
  credit: bigint;
  cash: bigint;
}
export interface Limits {
  readonly perTx: bigint | null;
  readonly daily: bigint | null;
  /** Empty: all. */
  readonly types: readonly string[];
}

export interface Good {
  readonly id: number;
  readonly seller: Member;
  readonly category: string;
  readonly kind: 'serial_pool' | 'counted' | 'unlimited';
  price: bigint;
  left: number;
  active: boolean;
}

export interface Trade {
  readonly id: number;
  readonly buyer: Member;
  readonly good: Good;
  readonly quantity: number;
  readonly subtotal: bigint;
  readonly fee: bigint;
  /** The funds in its escrow. */
  readonly held: Readonly<Funds>;
  status: 'escrow' | 'disputed' | 'completed' | 'refunded' | 'partially_refunded';
  refunded: bigint;
  opened: boolean;
  due: boolean;
  answered: boolean;
  /** Whether it counts for today's limits. */
  today: boolean;
}

export interface Market {
  readonly members: Member[];
  readonly goods: Good[];
  readonly trades: Trade[];
  /** By agent and Idempotency-Key: the input of the call and its answer. */
  readonly answers: Map<string, { readonly input: string; readonly text: string }>;
  /** The order that delivered each secret. */
  readonly seen: Map<string, number>;
}

export const NO_LIMITS: Limits = { perTx: null, daily: null, types: [] };

export const emptyMarket = (): Market => ({
  members: [],
  goods: [],
  trades: [],
  answers: new Map(),
  seen: new Map(),
});

export const isOpen = ({ status }: Trade) => status === 'escrow' || status === 'disputed';

export function costOf({ price }: Good, quantity: number) {
  const subtotal = price * BigInt(quantity);
  const tenth = subtotal / 10n;
  const fee = subtotal % 10n >= 5n ? tenth + 1n : tenth;
  return { subtotal, fee, total: subtotal + fee };
}

/** The refusals that do not depend on other purchases. */
export function fixedRefusal(buyer: Member, good: Good, quantity: number): string | undefined {
  const { total } = costOf(good, quantity);
  const limits = buyer.lineage.map((member) => member.limits);
  if (!good.active) return 'product_unavailable';
  if (good.seller.locked === buyer.locked) return 'self_purchase';
  if (limits.some(({ types }) => types.length > 0 && !types.includes(good.category))) {
    return 'product_type_not_allowed';
  }
  if (limits.some(({ perTx }) => perTx !== null && total > perTx)) return 'tx_limit_exceeded';
  return undefined;
}

export const exceedsDay = (buyer: Member, amount: bigint) =>
  buyer.lineage.some(({ limits, spent }) => limits.daily !== null && spent + amount > limits.daily);
export const lacksStock = ({ kind, left }: Good, quantity: number) =>
  kind !== 'unlimited' && left < quantity;
export const lacksMoney = ({ locked }: Member, amount: bigint) =>
  locked.credit + locked.cash < amount;

export function purchaseRefusal(buyer: Member, good: Good, quantity: number): string | undefined {
  const { total } = costOf(good, quantity);
  const fixed = fixedRefusal(buyer, good, quantity);
  if (fixed) return fixed;
  if (exceedsDay(buyer, total)) return 'daily_limit_exceeded';
  if (lacksStock(good, quantity)) return 'out_of_stock';
  return lacksMoney(buyer, total) ? 'insufficient_balance' : undefined;
}

/** Credit first. */
function take(from: Funds, amount: bigint): Funds {
  const credit = from.credit < amount ? from.credit : amount;
  const cash = amount - credit;
  if (cash > from.cash) throw new Error('the model would overdraw');
  from.credit -= credit;
  from.cash -= cash;
  return { credit, cash };
}

function give(to: Funds, { credit, cash }: Funds): void {
  to.credit += credit;
  to.cash += cash;
}

export function buy(market: Market, bought: Pick<Trade, 'id' | 'buyer' | 'good' | 'quantity'>) {
  const { buyer, good, quantity } = bought;
  const { subtotal, fee, total } = costOf(good, quantity);
  const held = take(buyer.locked, total);
  for (const member of buyer.lineage) member.spent += total;
  good.left -= quantity;
  const fresh = { refunded: 0n, opened: false, due: false, answered: false, today: true };
  market.trades.push({ ...bought, subtotal, fee, held, status: 'escrow', ...fresh });
}

/**
 * `earned` of the subtotal goes to the seller, its share of the fee to the revenue, the rest back.
 */
export function settle(trade: Trade, earned: bigint): void {
  const { buyer, good, subtotal, fee, held } = trade;
  const rest = { ...held };
  give(good.seller.locked, take(rest, earned));
  take(rest, (fee * earned) / subtotal);
  give(buyer.locked, rest);
  trade.refunded = rest.credit + rest.cash;
  if (trade.today) for (const member of buyer.lineage) member.spent -= trade.refunded;
  trade.status =
    earned === subtotal ? 'completed' : earned > 0n ? 'partially_refunded' : 'refunded';
  if (earned === 0n && !trade.opened) good.left += trade.quantity;
}

export type Action =
  | 'get_vault_item'
  | 'confirm_order'
  | 'refund_order'
  | 'dispute_order'
  | 'respond_dispute'
  | 'withdraw_dispute';

/** Performs the action, or answers the code of its refusal. */
export function act(trade: Trade, action: Action, by: Member): string | undefined {
  const { buyer, good, status, subtotal } = trade;
  const buys = buyer.lineage.includes(by);
  if (!buys && by !== good.seller) return 'not_found';
  const wrong = 'invalid_transition';
  switch (action) {
    case 'get_vault_item':
      if (!buys) return 'not_found';
      if (status === 'refunded') return wrong;
      trade.opened = true;
      return undefined;
    case 'confirm_order':
      if (!buys) return 'forbidden';
      if (status !== 'escrow') return wrong;
      settle(trade, subtotal);
      return undefined;
    case 'refund_order':
      if (!isOpen(trade) || (buys && trade.opened)) return wrong;
      settle(trade, 0n);
      return undefined;
    case 'dispute_order':
      if (!buys) return 'forbidden';
      if (status !== 'escrow' || trade.due) return wrong;
      trade.status = 'disputed';
      return undefined;
    case 'respond_dispute':
      if (buys) return 'forbidden';
      if (status !== 'disputed' || trade.answered) return wrong;
      trade.answered = true;
      return undefined;
    case 'withdraw_dispute':
      if (!buys) return 'forbidden';
      if (status !== 'disputed') return wrong;
      settle(trade, subtotal);
      return undefined;
  }
}

/** The answer of get_wallet. */
export function walletOf(market: Market, { locked, spent }: Member) {
  const open = market.trades.filter((trade) => isOpen(trade) && trade.buyer.locked === locked);
  const held = open.reduce((sum, { subtotal, fee }) => sum + subtotal + fee, 0n);
  const usd = (micros: bigint) => Number(micros) / 1e6;
  return {
    balance: usd(locked.credit + locked.cash),
    cash: usd(locked.cash),
    credit: usd(locked.credit),
    in_escrow: usd(held),
    daily_spend: usd(spent),
  };
}
