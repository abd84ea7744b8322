import assert from 'node:assert/strict';

import { creditFirst, insertTransfers, lockTreasuries } from '../ledger/ledger.ts';
import { spendableOf, sumOf, treasury } from '../ledger/ledger.ts';
import type { Balance, Funds, Transfer } from '../ledger/ledger.ts';
import { toUsd, type Micros } from '../../kernel/money.ts';
import type { Tx } from '../../kernel/tx.ts';
import type { Deferral } from '../../jobs/deferral.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { column, execute, row, type Database } from '../../platform/rows.ts';
import { assertAllowed, type Spend } from './policy.ts';

/** A tree's money, locked until the transaction ends, and an amount of it that may be spent. */
export interface LockedBalance {
  readonly amount: Micros;
  /** The part of the balance that may pay the amount. */
  readonly holds: Balance;
  /** The reason why only cash can pay it, if so. */
  readonly cashOnly?: string;
  /** The deferral that `assertApproved` throws, if an owner has to approve the spend first. */
  readonly deferral?: Deferral | undefined;
  /** Names of operations that add money here, for callers with too little. */
  readonly addedBy: readonly string[];
}

/**
 * Locks the caller's tree and refuses a spend that a policy above it forbids. The lock covers the
 * money and all spend counters of the tree, and is the first that a transaction takes. Too little
 * money and a missing approval are not refused here: other reasons to refuse come before these.
 * `job` is the call that an owner may have approved, if it is not this one.
 */
export async function lockBalance(tx: Tx, spend: Spend, job?: string): Promise<LockedBalance> {
  const { rootId } = tx.caller;
  const locked = await lockTreasuries(tx.db, [rootId]);
  const deferral = await assertAllowed(tx, spend, job);
  const holds = locked.get(rootId)!;
  return { amount: spend.amount, holds, deferral, addedBy: addedBy(tx) };
}

/** Operations that add money, beside those that get_wallet always lists. */
export const addedBy = ({ config }: Tx): readonly string[] =>
  config.deposits.card ? ['stripe_topup'] : [];

/** Restricts a balance to its cash, for a price that credit cannot pay. */
export const cashOnly = (
  { holds, ...balance }: LockedBalance,
  why = 'the seller takes no credit',
): LockedBalance => ({
  ...balance,
  holds: { ...holds, credit: 0n },
  cashOnly: why,
});

/** Defers the call until an owner has approved the spend, if one has to. Call it last. */
export function assertApproved({ deferral }: Pick<LockedBalance, 'deferral'>): void {
  if (deferral) throw deferral;
}

export const affords = ({ amount, holds }: LockedBalance): boolean =>
  sumOf(spendableOf(holds)) >= amount;

export function assertAffords({ amount, holds, cashOnly, addedBy }: LockedBalance): void {
  if (holds.owed > 0n) throw debtRefusal(holds.owed, amount, addedBy);
  const balance = sumOf(holds);
  if (balance >= amount) return;
  const held = `$${toUsd(balance)}${cashOnly ? ` of cash (${cashOnly})` : ''}`;
  throw new Refusal(
    'insufficient_balance',
    `This costs $${toUsd(amount)} and the wallet holds ${held}. Add funds first.`,
    { required: toUsd(amount), balance: toUsd(balance), missing: toUsd(amount - balance) },
    {},
    addedBy,
  );
}

const debtRefusal = (owed: Micros, amount: Micros, addedBy: readonly string[]): Refusal =>
  new Refusal(
    'insufficient_balance',
    `A payment into this wallet was reversed after it had been spent, so $${toUsd(owed)} is ` +
      'owed, and nothing can be spent until that is paid. Add funds: they pay it first.',
    { required: toUsd(amount), balance: 0, missing: toUsd(amount + owed), owed: toUsd(owed) },
    {},
    addedBy,
  );

/** The funds that pay the amount: credit first, because it cannot be withdrawn. */
export const fundsFrom = ({ amount, holds }: LockedBalance): Funds => creditFirst(amount, holds);

/**
 * Counts an amount as spent by the agent and everyone above it, under the lock of `lockBalance`.
 * Resolves with the UTC day (YYYY-MM-DD) whose limits it counts towards.
 */
export async function countSpend({ db, caller }: Tx, amount: Micros): Promise<string> {
  const { day } = await row(
    db,
    { day: column.text },
    `with today as (select spend_day($2) as day),
     counted as (
       update spend set day = today.day,
              amount = case when spend.day = today.day then spend.amount else 0 end + $3
         from today
        where agent_id = any (array(select unnest(lineage) from agent where id = $1)))
     select day::text from today`,
    [caller.agentId, caller.rootId, amount],
  );
  return day;
}

/** Takes the amount from the treasury, if it covers it and no owner has to approve it first. */
export async function pay(
  tx: Tx,
  balance: LockedBalance,
  transfer: Pick<Transfer, 'id' | 'kind' | 'ref' | 'to'>,
): Promise<void> {
  await payInParts(tx, balance, [{ ...transfer, amount: balance.amount }]);
}

/**
 * Takes the amount as `pay` does, in many transfers with an amount each. Resolves with the funds of
 * each: the first ones have the credit.
 */
export async function payInParts(
  tx: Tx,
  balance: LockedBalance,
  parts: readonly (Pick<Transfer, 'id' | 'kind' | 'ref' | 'to'> & { readonly amount: Micros })[],
): Promise<Funds[]> {
  assertAffords(balance);
  assertApproved(balance);
  const from = treasury(tx.caller.rootId);
  let { credit } = balance.holds;
  const funds = parts.map(({ amount }) => {
    const part = creditFirst(amount, { credit, cash: 0n });
    credit -= part.credit;
    return part;
  });
  const transfers = parts.map((part, n) => ({ ...part, from, ...funds[n]! }));
  assert.equal(
    parts.reduce((sum, { amount }) => sum + amount, 0n),
    balance.amount,
  );
  await insertTransfers(tx, transfers);
  return funds;
}

/** A refund of a spend, and the UTC day (YYYY-MM-DD) on which that was spent. */
interface SpendRefund {
  readonly agentId: number;
  readonly day: string;
  readonly amount: Micros;
}

/** Subtracts refunds from the spends of the days on which they were spent, and of no other days. */
export async function refundSpends(db: Database, refunds: readonly SpendRefund[]): Promise<void> {
  if (refunds.length === 0) return;
  await execute(db, 'select uncount_spends($1, $2, $3)', [
    refunds.map(({ agentId }) => agentId),
    refunds.map(({ day }) => day),
    refunds.map(({ amount }) => amount),
  ]);
}

export const refundSpend = (db: Database, refund: SpendRefund): Promise<void> =>
  refundSpends(db, [refund]);
