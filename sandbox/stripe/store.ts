import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import type Stripe from 'stripe';

import type { CardBehaviour } from './cards.ts';

/** Kinds of objects, by Stripe's names; the rest is the double's own. */
export interface Kinds {
  readonly customer: Stripe.Customer;
  readonly payment_method: Stripe.PaymentMethod;
  readonly 'checkout.session': Stripe.Checkout.Session;
  readonly payment_intent: Stripe.PaymentIntent;
  readonly charge: Stripe.Charge;
  readonly refund: Stripe.Refund;
  readonly dispute: Stripe.Dispute;
  readonly balance_transaction: Stripe.BalanceTransaction;
  readonly event: Stripe.Event;
  readonly card: SavedCard;
  readonly plan: PaymentPlan;
  readonly answer: StoredAnswer;
}

/** Behaviour of the card of a payment method. The double stores no card number. */
export interface SavedCard extends CardBehaviour {
  readonly id: string;
  readonly object: 'card';
}

/** Parts of the request of a Checkout Session that its pay page needs. */
export interface PaymentPlan {
  readonly id: string;
  readonly object: 'plan';
  /** Name of the goods, from its line items. */
  readonly subject: string;
  readonly data: Stripe.Checkout.SessionCreateParams.PaymentIntentData;
}

/** The answer stored for an idempotency key. */
export interface StoredAnswer {
  readonly id: string;
  readonly object: 'answer';
  readonly request: string;
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
}

export type Kind = keyof Kinds;

export interface Store {
  find<K extends Kind>(kind: K, id: string): Kinds[K] | undefined;
  /** Finds an object of any kind. */
  findAny(id: string): object | undefined;
  /** All objects of a kind, oldest first. */
  all<K extends Kind>(kind: K): Kinds[K][];
  /** Saves a new or changed object. It is durable at the next `commit`. */
  save<T extends { readonly id: string; readonly object: string }>(object: T): T;
  commit(): void;
}

/**
 * Everything in memory, and in `file` if there is one: a line for each version of an object, of
 * which the last counts, so that a killed process loses nothing that was answered.
 */
export function openStore(file?: string): Store {
  const objects = new Map<string, { readonly id: string; readonly object: string }>();
  let changed = new Map<string, object>();
  if (file && existsSync(file)) {
    // The last line may be truncated.
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    for (const line of lines) {
      const object = JSON.parse(line) as { id: string; object: string };
      objects.set(keyOf(object.object, object.id), object);
    }
    const compact = [...objects.values()].map((object) => `${JSON.stringify(object)}\n`);
    writeFileSync(`${file}.part`, compact.join(''), { mode: 0o600 });
    renameSync(`${file}.part`, file);
  }
  return {
    find: (kind, id) => objects.get(keyOf(kind, id)) as never,
    findAny: (id) => WIRE_KINDS.map((kind) => objects.get(keyOf(kind, id))).find(Boolean),
    all: (kind) => [...objects.values()].filter(({ object }) => object === kind) as never,
    save(object) {
      objects.set(keyOf(object.object, object.id), object);
      changed.set(keyOf(object.object, object.id), object);
      return object;
    },
    commit() {
      if (file && changed.size > 0) {
        const lines = [...changed.values()].map((object) => `${JSON.stringify(object)}\n`);
        appendFileSync(file, lines.join(''), { mode: 0o600 });
      }
      changed = new Map();
    },
  };
}

const WIRE_KINDS: readonly Kind[] = [
  'customer',
  'payment_method',
  'checkout.session',
  'payment_intent',
  'charge',
  'refund',
  'dispute',
  'balance_transaction',
  'event',
];

const keyOf = (kind: string, id: string) => `${kind} ${id}`;

/** `newId('pi')` is like pi_3QxN0a7Kw2VbJ5sLr8TyGz1c. */
export function newId(prefix: string): string {
  const random = randomBytes(32).toString('base64').replaceAll(/[+/=]/g, '');
  return `${prefix}_${random.slice(0, 24)}`;
}

/** Fields of Stripe that are null here. */
export const none = <K extends string>(...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<K, null>;
