import type { EntityManager } from 'typeorm';

import type { Micros } from '../money.ts';

/** An amount in two colours. Credit (welcome, goodwill) can be spent but never withdrawn. */
export interface Colours {
  readonly credit: Micros;
  readonly cash: Micros;
}

type Place = 'treasury' | 'escrow' | 'asset' | 'revenue' | 'expense';
export type Kind = 'welcome' | 'deposit' | 'order.hold' | 'order.release' | 'order.fee';

/**
 * One movement of money, permanent. `ref` is the object that the kind speaks of: (ref, kind) can
 * happen once. A place of the platform's own (asset, revenue, expense) has the id 1 and no stored
 * balance, so that it never makes all purchases wait for one row.
 */
export interface Entry extends Colours {
  readonly id?: string;
  readonly kind: Kind;
  readonly ref: number | string;
  readonly from: readonly [Place, number | string];
  readonly to: readonly [Place, number | string];
}

export const treasury = (rootId: number) => ['treasury', rootId] as const;
/** An escrow is named by the entry that filled it. */
export const escrow = (entryId: string) => ['escrow', entryId] as const;
export const platform = (place: 'asset' | 'revenue' | 'expense') => [place, 1] as const;

/** Moves money. PostgreSQL refuses whatever must not happen; see migrations/0002_ledger.sql. */
export async function post(db: EntityManager, entries: readonly Entry[]): Promise<void> {
  const moving = entries.filter(({ credit, cash }) => credit + cash > 0n);
  await db.query(
    `insert into ledger.entry (id, ref, kind, from_place, from_id, to_place, to_id, credit, cash)
     select coalesce(id, nextval('ledger.entry_id')), ref, kind::ledger.kind,
            from_place::ledger.place, from_id, to_place::ledger.place, to_id, credit, cash
       from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[],
                   $7::bigint[], $8::bigint[], $9::bigint[])
            as e(id, ref, kind, from_place, from_id, to_place, to_id, credit, cash)`,
    [
      moving.map(({ id }) => id ?? null),
      moving.map(({ ref }) => ref),
      moving.map(({ kind }) => kind),
      moving.map(({ from }) => from[0]),
      moving.map(({ from }) => from[1]),
      moving.map(({ to }) => to[0]),
      moving.map(({ to }) => to[1]),
      moving.map(({ credit }) => credit.toString()),
      moving.map(({ cash }) => cash.toString()),
    ],
  );
}

/** The id of an entry to come, for an escrow that has to be named before it is filled. */
export async function nextEntryId(db: EntityManager): Promise<string> {
  const [{ id }] = await db.query(`select nextval('ledger.entry_id') as id`);
  return id;
}

export async function openTreasury(db: EntityManager, rootId: number): Promise<void> {
  await db.query('insert into ledger.treasury (id) values ($1)', [rootId]);
}

/** Locks trees in the order that everybody uses, and tells what they hold. First of all locks. */
export async function lockTreasuries(
  db: EntityManager,
  rootIds: readonly number[],
): Promise<ReadonlyMap<number, Colours>> {
  const rows: { id: string; credit: string; cash: string }[] = await db.query(
    'select * from ledger.lock_treasuries($1)',
    [rootIds],
  );
  return new Map(rows.map((row) => [Number(row.id), coloursOf(row)]));
}

/** What a tree holds now. */
export async function balanceOf(db: EntityManager, rootId: number): Promise<Colours> {
  const [row] = await db.query('select credit, cash from ledger.treasury where id = $1', [rootId]);
  return coloursOf(row);
}

/** Credit first: what cannot be withdrawn is spent before what can. */
export function creditFirst(amount: Micros, { credit }: Colours): Colours {
  const fromCredit = amount < credit ? amount : credit;
  return { credit: fromCredit, cash: amount - fromCredit };
}

export const sumOf = ({ credit, cash }: Colours): Micros => credit + cash;

const coloursOf = ({ credit, cash }: { credit: string; cash: string }): Colours => ({
  credit: BigInt(credit),
  cash: BigInt(cash),
});
