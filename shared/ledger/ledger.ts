import type { EntityManager } from 'typeorm';

import type { Micros } from './money.ts';

/** An amount in two funds. Credit (welcome, goodwill) can be spent but never withdrawn. */
export interface Funds {
  readonly credit: Micros;
  readonly cash: Micros;
}

type AccountType = 'treasury' | 'escrow' | 'asset' | 'revenue' | 'expense';
export type Kind =
  | 'welcome'
  | 'deposit'
  | 'order.hold'
  | 'order.release'
  | 'order.fee'
  | 'order.refund'
  | 'proxy.charge'
  | 'proxy.refund'
  | 'email.charge';

/**
 * One movement of money, permanent. `ref` is the object that the kind speaks of: (ref, kind) can
 * happen once. A place of the platform's own (asset, revenue, expense) has no stored balance, so
 * that it never makes all purchases wait for one row.
 */
export interface Transfer extends Funds {
  readonly id?: string;
  readonly kind: Kind;
  readonly ref: number | string;
  readonly from: readonly [AccountType, number | string];
  readonly to: readonly [AccountType, number | string];
}

export const treasury = (rootId: number) => ['treasury', rootId] as const;
/** An escrow is named by the transfer that filled it. */
export const escrow = (entryId: string) => ['escrow', entryId] as const;
export const platform = (place: 'asset' | 'expense') => [place, 1] as const;
/** Revenue by what it was earned with; the database checks the ids. */
export const revenue = (of: keyof typeof REVENUES) => ['revenue', REVENUES[of]] as const;
const REVENUES = { fee: 1, proxy: 2, email: 3 } as const;

/**
 * Moves money. PostgreSQL refuses whatever must not happen: see migrations/0002_ledger.sql. Locks
 * the trees first, so that within a tree the order of transfers is the order of events.
 */
export async function post(db: EntityManager, transfers: readonly Transfer[]): Promise<void> {
  const places = transfers.flatMap(({ from, to }) => [from, to]);
  const trees = places.filter(([place]) => place === 'treasury').map(([, id]) => Number(id));
  await lockTreasuries(db, trees);
  await insertTransfers(db, transfers);
}

/** `post` for a transaction that holds the locks of its trees already. */
export async function insertTransfers(
  db: EntityManager,
  transfers: readonly Transfer[],
): Promise<void> {
  const moving = transfers.filter(({ credit, cash }) => credit + cash > 0n);
  await db.query(
    `insert into ledger.transfer (id, ref, kind, from_account, from_id, to_account, to_id, credit, cash)
     select coalesce(id, nextval('ledger.transfer_id')), ref, kind::ledger.kind,
            from_account::ledger.account, from_id, to_account::ledger.account, to_id, credit, cash
       from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[],
                   $7::bigint[], $8::bigint[], $9::bigint[])
            as e(id, ref, kind, from_account, from_id, to_account, to_id, credit, cash)`,
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

/** The id of a transfer to come, for an escrow that has to be named before it is filled. */
export async function nextTransferId(db: EntityManager): Promise<string> {
  const [{ id }] = await db.query(`select nextval('ledger.transfer_id') as id`);
  return id;
}

export async function openTreasury(db: EntityManager, rootId: number): Promise<void> {
  await db.query('insert into ledger.treasury (id) values ($1)', [rootId]);
}

/** Locks trees in the order that everybody uses, and tells what they hold. First of all locks. */
export async function lockTreasuries(
  db: EntityManager,
  rootIds: readonly number[],
): Promise<ReadonlyMap<number, Funds>> {
  const rows: { id: string; credit: string; cash: string }[] = await db.query(
    'select * from ledger.lock_treasuries($1)',
    [rootIds],
  );
  return new Map(rows.map((row) => [Number(row.id), fundsOf(row)]));
}

/** What a tree holds now. */
export async function balanceOf(db: EntityManager, rootId: number): Promise<Funds> {
  const [row] = await db.query('select credit, cash from ledger.treasury where id = $1', [rootId]);
  return fundsOf(row);
}

/** Credit first: what cannot be withdrawn is spent before what can. */
export function creditFirst(amount: Micros, { credit }: Funds): Funds {
  const fromCredit = amount < credit ? amount : credit;
  return { credit: fromCredit, cash: amount - fromCredit };
}

export const sumOf = ({ credit, cash }: Funds): Micros => credit + cash;

const fundsOf = ({ credit, cash }: { credit: string; cash: string }): Funds => ({
  credit: BigInt(credit),
  cash: BigInt(cash),
});

/** One line of a tree's statement: signed, from the tree's side. */
export interface Line {
  readonly id: string;
  readonly createdAt: Date;
  readonly kind: Kind;
  readonly ref: string;
  readonly amount: Micros;
}

/** The transfers of a tree, newest first, below a transfer's id. */
export async function statementOf(
  db: EntityManager,
  rootId: number,
  { limit, below = '9223372036854775807' }: { limit: number; below?: string | undefined },
): Promise<Line[]> {
  const rows = await db.query(
    // Each half walks an index of its own from the newest, whatever the length of the history.
    `select * from (
       (select id, created_at, kind, ref, -(credit + cash) as amount from ledger.transfer
         where from_account = 'treasury' and from_id = $1 and id < $2 order by id desc limit $3)
       union all
       (select id, created_at, kind, ref, credit + cash from ledger.transfer
         where to_account = 'treasury' and to_id = $1 and id < $2 order by id desc limit $3)
      ) both_ways
      order by id desc limit $3`,
    [rootId, below, limit],
  );
  return rows.map((row: Record<string, string> & { created_at: Date; kind: Kind }) => ({
    id: row.id,
    createdAt: row.created_at,
    kind: row.kind,
    ref: row.ref,
    amount: BigInt(row.amount!),
  }));
}
