import type { EntityManager } from 'typeorm';

import { column, execute, row, rows } from '../platform/rows.ts';
import type { Micros } from './money.ts';
import { announceTiers } from './tier_rises.ts';
import type { TierLevels } from './tiers.ts';

/** An amount in two funds. Credit (welcome, goodwill) can be spent but never withdrawn. */
export interface Funds {
  readonly credit: Micros;
  readonly cash: Micros;
}

type AccountType = 'treasury' | 'escrow' | 'receivable' | 'asset' | 'revenue' | 'expense';

/** Its type, its id in that type, and the owner tree whose money it holds (null: none). */
export type Account = readonly [type: AccountType, id: number | string, rootId: number | null];
export type Kind =
  | 'welcome'
  | 'goodwill'
  | 'deposit'
  | 'deposit.reversal'
  | 'deposit.owed'
  | 'deposit.restoration'
  | 'owed.payment'
  | 'order.hold'
  | 'order.release'
  | 'order.fee'
  | 'order.refund'
  | 'task.hold'
  | 'task.release'
  | 'task.refund'
  | 'labor.hold'
  | 'labor.release'
  | 'labor.refund'
  | 'withdrawal.hold'
  | 'withdrawal.paid'
  | 'withdrawal.refund'
  | 'proxy.charge'
  | 'proxy.refund'
  | 'email.charge'
  | 'token.charge'
  | 'token.refund';

/**
 * Money from one account to another, permanent. `ref` is the object that the kind is about:
 * (ref, kind) can happen once.
 */
export interface Transfer extends Funds {
  readonly id?: number | string;
  readonly kind: Kind;
  readonly ref: number | string;
  readonly from: Account;
  readonly to: Account;
}

export const treasury = (rootId: number): Account => ['treasury', rootId, rootId];
/** An escrow is named by the transfer that filled it, and is of the tree that paid. */
export const escrow = (transferId: number | string, rootId: number): Account => [
  'escrow',
  transferId,
  rootId,
];
/** What a tree owes: below zero by the sum. */
export const receivable = (rootId: number): Account => ['receivable', rootId, rootId];
/**
 * What the platform gives away. This, assets and revenue have no stored balance, so that purchases
 * do not all wait for one row.
 */
export const expense: Account = ['expense', 1, null];
/** What came in by a rail, below zero by the sum: by account_id of its deposits. */
export const asset = (rail: Rail): Account => ['asset', RAILS.indexOf(rail) + 1, null];

/** The ways for money to come in. The order is that of deposit.account_id. */
export const RAILS = [
  'card',
  'algorand',
  'solana',
  'base',
  'arbitrum',
  'ethereum',
  'tron',
  'x402',
] as const;
export type Rail = (typeof RAILS)[number];
/** Revenue by what it was earned with; the database checks the ids. */
export const revenue = (of: keyof typeof REVENUES): Account => ['revenue', REVENUES[of], null];
const REVENUES = { fee: 1, proxy: 2, email: 3, token: 4 } as const;

/** What of a transaction moves money: a transfer may raise the tier of a tree. */
export interface MoneyTx {
  readonly db: EntityManager;
  readonly config: { readonly api: { readonly tiers: TierLevels } };
}

/**
 * Moves money. PostgreSQL refuses whatever must not happen: see migrations/0002_ledger.sql. Locks
 * the trees first, so that within a tree the order of transfers is the order of events.
 */
export async function makeTransfers(tx: MoneyTx, transfers: readonly Transfer[]): Promise<void> {
  const accounts = transfers.flatMap(({ from, to }) => [from, to]);
  const trees = accounts.filter(([type]) => type === 'treasury').map(([, id]) => Number(id));
  await lockTreasuries(tx.db, trees);
  await insertTransfers(tx, transfers);
}

/** `makeTransfers` for a transaction that holds the locks of its trees already. */
export async function insertTransfers(
  { db, config }: MoneyTx,
  transfers: readonly Transfer[],
): Promise<void> {
  const moving = transfers.filter(({ credit, cash }) => credit + cash > 0n);
  await execute(
    db,
    `insert into ledger.transfer
       (id, ref, kind, from_account, from_id, from_root, to_account, to_id, to_root, credit, cash)
     select coalesce(id, nextval('ledger.transfer_id')), ref, kind,
            from_account::ledger.account, from_id, from_root, to_account::ledger.account, to_id,
            to_root, credit, cash
       from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[],
                   $7::text[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])
            as t(id, ref, kind, from_account, from_id, from_root, to_account, to_id, to_root,
                 credit, cash)`,
    [
      moving.map(({ id }) => id ?? null),
      moving.map(({ ref }) => ref),
      moving.map(({ kind }) => kind),
      ...[0, 1, 2].map((part) => moving.map(({ from }) => from[part])),
      ...[0, 1, 2].map((part) => moving.map(({ to }) => to[part])),
      moving.map(({ credit }) => credit.toString()),
      moving.map(({ cash }) => cash.toString()),
    ],
  );
  const gaining = moving.filter(({ to: [type], cash }) => type === 'treasury' && cash > 0n);
  await announceTiers(db, config.api.tiers, new Set(gaining.map(({ to: [, id] }) => Number(id))));
}

/** The id of a transfer that is made later in this transaction, and so of the escrow it fills. */
export async function newTransferId(db: EntityManager): Promise<number> {
  const sql = `select nextval('ledger.transfer_id') as id`;
  return (await row(db, { id: column.id }, sql)).id;
}

export async function openTreasury(db: EntityManager, rootId: number): Promise<void> {
  await execute(db, 'insert into ledger.treasury (id) values ($1)', [rootId]);
}

/** What a tree holds, and what it owes. */
export interface Balance extends Funds {
  /** What was spent of deposits that were reversed. While it is above 0, nothing can be spent. */
  readonly owed: Micros;
}

export const BALANCE_COLUMNS = { credit: column.micros, cash: column.micros, owed: column.micros };

/**
 * Locks trees in the order that all transactions use, before any other lock. Returns what they
 * hold.
 */
export async function lockTreasuries(
  db: EntityManager,
  rootIds: readonly number[],
): Promise<ReadonlyMap<number, Balance>> {
  const locked = await rows(
    db,
    { id: column.id, ...BALANCE_COLUMNS },
    'select id, credit, cash, owed from ledger.lock_treasuries($1)',
    [rootIds],
  );
  return new Map(locked.map(({ id, ...balance }) => [id, balance]));
}

/** Ids of many transfers, as by `newTransferId`, in their order. */
export async function newTransferIds(db: EntityManager, count: number): Promise<number[]> {
  const sql = `select nextval('ledger.transfer_id') as id from generate_series(1, $1)`;
  return (await rows(db, { id: column.id }, sql, [count])).map(({ id }) => id);
}

/** What a tree holds now. */
export async function balanceOf(db: EntityManager, rootId: number): Promise<Balance> {
  const sql = 'select credit, cash, owed from ledger.treasury where id = $1';
  return row(db, BALANCE_COLUMNS, sql, [rootId]);
}

/** Credit first: what cannot be withdrawn is spent before what can. */
export function creditFirst(amount: Micros, { credit }: Funds): Funds {
  const fromCredit = amount < credit ? amount : credit;
  return { credit: fromCredit, cash: amount - fromCredit };
}

/** What of a balance can be spent: nothing while something is owed. */
export const spendableOf = ({ owed, ...funds }: Balance): Funds =>
  owed > 0n ? { credit: 0n, cash: 0n } : funds;

export const sumOf = ({ credit, cash }: Funds): Micros => credit + cash;
