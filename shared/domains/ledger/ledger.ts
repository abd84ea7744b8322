import type { EntityManager } from 'typeorm';

import { column, execute, row, rows } from '../../platform/rows.ts';
import type { Micros } from '../../kernel/money.ts';
import { announceTiers } from './tier_rises.ts';
import type { TierLevels } from './tiers.ts';

/** An amount in two funds. Credit (welcome, goodwill) can be spent but never withdrawn. */
export interface Funds {
  readonly credit: Micros;
  readonly cash: Micros;
}

type AccountType =
  'treasury' | 'escrow' | 'unclaimed' | 'receivable' | 'asset' | 'revenue' | 'expense';

/** An account: its type, its id in that type, and the tree whose money it holds (null: none). */
type Account = readonly [type: AccountType, id: number | string, rootId: number | null];
export type Kind =
  | 'welcome'
  | 'goodwill'
  | 'deposit'
  | 'deposit.reversal'
  | 'deposit.owed'
  | 'deposit.restoration'
  | 'owed.payment'
  | 'unclaimed.receipt'
  | 'unclaimed.release'
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
  | 'email.refund'
  | 'token.charge'
  | 'token.refund';

/**
 * A permanent movement of money from one account to another. `ref` is the object that it is for:
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
/** An escrow, named by the transfer that filled it. It belongs to the tree that paid. */
export const escrow = (transferId: number | string, rootId: number): Account => [
  'escrow',
  transferId,
  rootId,
];
/** The debt of a tree, as a negative balance. */
export const receivable = (rootId: number): Account => ['receivable', rootId, rootId];
/**
 * The account of everything the platform gives away. Expense, assets and revenue have no stored
 * balance, so that purchases do not all wait for one row.
 */
export const expense: Account = ['expense', 1, null];
/** Money received by a rail, as a negative balance. Its id is account_id of the deposits. */
export const asset = (rail: Rail): Account => ['asset', RAILS.indexOf(rail) + 1, null];
/** Payments by a rail that are credited to nobody. Its id is that of the rail's asset account. */
export const unclaimed = (rail: Rail): Account => ['unclaimed', RAILS.indexOf(rail) + 1, null];

/** The ways for money to come in. deposit.account_id is the position, from 1. */
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
/** Revenue, one account a source of income. The database checks the ids. */
export const revenue = (of: keyof typeof REVENUES): Account => ['revenue', REVENUES[of], null];
const REVENUES = { fee: 1, proxy: 2, email: 3, token: 4 } as const;

/** The part of a transaction that moving money needs. config: a transfer may raise a tier. */
export interface MoneyTx {
  readonly db: EntityManager;
  readonly config: { readonly api: { readonly tiers: TierLevels } };
}

/**
 * Moves money. PostgreSQL refuses forbidden transfers: see migrations/0002_ledger.sql. Locks the
 * trees first, so that within a tree the order of transfers is the order of events.
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

/** Reserves the id of a transfer, and so of the escrow it fills, for later in the transaction. */
export async function newTransferId(db: EntityManager): Promise<number> {
  const sql = `select nextval('ledger.transfer_id') as id`;
  return (await row(db, { id: column.id }, sql)).id;
}

export async function openTreasury(db: EntityManager, rootId: number): Promise<void> {
  await execute(db, 'insert into ledger.treasury (id) values ($1)', [rootId]);
}

/** The money and the debt of a tree. */
export interface Balance extends Funds {
  /** Debt: money spent from deposits that were reversed later. Above 0 nothing can be spent. */
  readonly owed: Micros;
}

export const BALANCE_COLUMNS = { credit: column.micros, cash: column.micros, owed: column.micros };

/**
 * Locks trees in the order that all transactions use, before any other lock. Returns their
 * balances.
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

/** Reserves ids of many transfers, as `newTransferId` does, in ascending order. */
export async function newTransferIds(db: EntityManager, count: number): Promise<number[]> {
  const sql = `select nextval('ledger.transfer_id') as id from generate_series(1, $1)`;
  return (await rows(db, { id: column.id }, sql, [count])).map(({ id }) => id);
}

/** Reads the balance of a tree. */
export async function balanceOf(db: EntityManager, rootId: number): Promise<Balance> {
  const sql = 'select credit, cash, owed from ledger.treasury where id = $1';
  return row(db, BALANCE_COLUMNS, sql, [rootId]);
}

/** Splits an amount into funds, credit first: it cannot be withdrawn, so it is spent first. */
export function creditFirst(amount: Micros, { credit }: Funds): Funds {
  const fromCredit = amount < credit ? amount : credit;
  return { credit: fromCredit, cash: amount - fromCredit };
}

/** The spendable part of a balance: nothing while the tree has a debt. */
export const spendableOf = ({ owed, ...funds }: Balance): Funds =>
  owed > 0n ? { credit: 0n, cash: 0n } : funds;

export const sumOf = ({ credit, cash }: Funds): Micros => credit + cash;
