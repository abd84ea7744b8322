import type { Agent } from '../calls/call.ts';
import type { Wallet } from './trader.ts';

/** Amounts in a drill are whole micro-dollars, as plain numbers: it never reaches 2^53 of them. */
export const microsOf = (usd: number): number => Math.round(usd * 1e6);

/** Whether hostile peers are asked for it: they keep waiting whoever asks, so these are few. */
export const isAmongHostile = ({ id }: Agent): boolean => id % 4 === 0;

export interface Participant extends Agent {
  readonly wallet: Wallet;
}

export interface Good {
  readonly id: number;
  readonly price: number;
  readonly seller: Participant;
  readonly kind: 'serial_pool' | 'counted' | 'unlimited';
  /** The content for each buyer of a product without units. */
  readonly content: string | undefined;
  /** The units that its seller was told are listed: secrets, or how many. */
  readonly items: string[];
  quantity: number;
  /** Orders that buyers were told of. */
  readonly orders: ExpectedOrder[];
}

/** An order as it must be, from the replies to its buyer. Micro-dollars. */
export interface ExpectedOrder {
  readonly id: number;
  readonly good: Good;
  readonly quantity: number;
  readonly subtotal: number;
  readonly fee: number;
  status: 'escrow' | 'disputed' | 'completed' | 'refunded' | 'partially_refunded';
  refunded: number;
  /** The contents of its vault; undefined: it was not opened. */
  contents: string[] | undefined;
  /** Request ids: of the openings that were answered, and of all that were sent. */
  readonly openings: { readonly answered: string[]; readonly sent: string[] };
  /** The types of its events, in order. */
  readonly events: string[];
  /** It waits for a timer, or for the repeat of a call: nobody acts on it. */
  isWaiting: boolean;
}

export interface Listing {
  readonly price: number;
  readonly stock_kind: Good['kind'];
  readonly content?: string;
  readonly quantity?: number;
  readonly items?: string[];
}

export const productOf = (title: string, listing: Listing) => ({
  title,
  description: 'It is sold during a drill.',
  category: 'serial_key',
  ...listing,
});

export const goodOf = (
  id: number,
  seller: Participant,
  { price, stock_kind: kind, content, quantity = 0, items = [] }: Listing,
): Good => ({ id, price: microsOf(price), seller, kind, content, items, quantity, orders: [] });

let unit = 0;
/** Secrets that no other unit has. */
export const newUnits = (n: number): string[] =>
  Array.from({ length: n }, () => `unit-${(unit += 1)} ключ "\\"`);
