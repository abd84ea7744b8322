import type Stripe from 'stripe';

import { invalid, missing } from '../refusal.ts';
import type { Kind, Kinds } from '../store.ts';
import type { Account } from '../account.ts';

export interface Paging {
  readonly limit?: number;
  readonly starting_after?: string;
  readonly ending_before?: string;
  readonly created?: number | Stripe.RangeQueryParam;
}

const LIMIT = { default: 10, max: 100 };

/** A page of the matching objects, newest first. */
export function listOf<K extends Kind>(
  account: Account,
  kind: K,
  url: string,
  paging: Paging,
  matches: (object: Kinds[K]) => boolean = () => true,
) {
  const { limit = LIMIT.default, starting_after: after, ending_before: before } = paging;
  if (limit < 1 || limit > LIMIT.max) {
    const bound = limit < 1 ? `greater than or equal to 1` : `less than or equal to ${LIMIT.max}`;
    throw invalid(`This value must be ${bound}.`, { param: 'limit' });
  }
  const found = account.store.all(kind).filter((object) => matches(object));
  const all = found.filter((object) => isIn(paging.created, createdOf(object))).toReversed();
  const from = after ? indexOf(all, after, 'starting_after') + 1 : 0;
  const to = before ? indexOf(all, before, 'ending_before') : all.length;
  const first = before ? Math.max(0, to - limit) : from;
  const data = all.slice(first, before ? to : from + limit);
  const hasMore = before ? first > 0 : from + limit < all.length;
  return { object: 'list', data, has_more: hasMore, url };
}

const createdOf = (object: object) => (object as { created: number }).created;

function indexOf(all: readonly { readonly id: string }[], id: string, param: string): number {
  const index = all.findIndex((object) => object.id === id);
  if (index < 0) throw missing('object', id, param);
  return index;
}

function isIn(range: Paging['created'], at: number): boolean {
  if (range === undefined) return true;
  if (typeof range === 'number') return at === range;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return at > gt && at >= gte && at < lt && at <= lte;
}

/** Expands the fields that `expand` names, such as `payment_intent.latest_charge`. */
export function expanded(account: Account, object: object, paths: readonly string[]): object {
  const copy = structuredClone(object);
  for (const path of paths) expandPath(account, copy, path.split('.'), path);
  return copy;
}

function expandPath(account: Account, object: object, steps: string[], path: string): void {
  const [field, ...rest] = steps;
  if (field === undefined) return;
  const fields = object as Record<string, unknown>;
  if (!(field in fields)) {
    throw invalid(`This property cannot be expanded (${path}).`);
  }
  const value = fields[field];
  if (Array.isArray(value)) {
    for (const item of value as object[]) expandPath(account, item, rest, path);
    return;
  }
  if (typeof value === 'string') {
    const found = account.store.findAny(value);
    if (!found) throw invalid(`This property cannot be expanded (${path}).`);
    fields[field] = structuredClone(found);
  }
  if (fields[field]) expandPath(account, fields[field], rest, path);
}

/** `metadata` of an object after a request: an empty value removes a key. */
export function mergedMetadata(
  old: Stripe.Metadata,
  given: Stripe.Emptyable<Stripe.MetadataParam> | undefined,
): Stripe.Metadata {
  if (given === undefined) return old;
  if (given === '' || given === null) return {};
  const merged: Stripe.Metadata = { ...old };
  for (const [name, value] of Object.entries(given)) {
    if (value === '' || value === null) delete merged[name];
    else merged[name] = String(value);
  }
  return merged;
}
