import assert from 'node:assert/strict';

import { creditFirst, insertTransfers, lockTreasuries } from '../ledger/ledger.ts';
import { spendableOf, sumOf, treasury } from '../ledger/ledger.ts';
import type { Balance, Funds, Transfer } from '../ledger/ledger.ts';
import { toUsd, type Micros } from '../ledger/money.ts';
import type { Tx } from '../kernel/operation.ts';
import type { Deferral } from '../jobs/deferral.ts';
import { Refusal } from '../kernel/refusal.ts';
import { column, execute, row, type Database } from '../platform/rows.ts';
import { assertAllowed, type Spend } from './policy.ts';

/** A tree's money, locked until the transaction ends, and an amount of it that may be spent. */
export interface LockedBalance {
  readonly amount: Micros;
  /** What of it may pay the amount. */
  readonly holds: Balance;
  /** Only cash pays it: why. */
  readonly cashOnly?: string;
  /** Thrown by `assertApproved`: an owner has to approve it first. */
  readonly deferral?: Deferral | undefined;
  /** Names of operations that add money here, for who has too little. */
  readonly addedBy: readonly string[];
}

/**
 * Locks the caller's tree and refuses a spend that a policy above it forbids. The lock covers the
 * money and all spend counters of the tree, and is the first that a transaction takes. It does not
 * refuse what the money does not cover, nor what an owner has to approve: other reasons to refuse
 * come before these. `job` is the call that an owner may have approved, if it is not this one.
 */
export async function lockBalance(tx: Tx, spend: Spend, job?: string): Promise<LockedBalance> {
  const { rootId } = tx.caller;
  const locked = await lockTreasuries(tx.db, [rootId]);
  const deferral = await assertAllowed(tx, spend, job);
  const holds = locked.get(rootId)!;
  return { amount: spend.amount, holds, deferral, addedBy: addedBy(tx) };
}

/** Beside what get_wallet lists in any case. */
export const addedBy = ({ config }: Tx): readonly string[] =>
  config.deposits.card ? ['stripe_topup'] : [];

/** The same balance for something that credit does not pay for. */
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
  if (holds.owed > 0n) throw owing(holds.owed, amount, addedBy);
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

const owing = (owed: Micros, amount: Micros, addedBy: readonly string[]): Refusal =>
  new Refusal(
    'insufficient_balance',
    `A payment into this wallet was taken back after it had been spent, so $${toUsd(owed)} is ` +
      'owed, and nothing can be spent until that is paid. Add funds: they pay it first.',
    { required: toUsd(amount), balance: 0, missing: toUsd(amount + owed), owed: toUsd(owed) },
    {},
    addedBy,
  );

/** The funds that pay the amount: what cannot be withdrawn first. */
export const fundsFrom = ({ amount, holds }: LockedBalance): Funds => creditFirst(amount, holds);

/**
 * Counts an amount as spent by the agent and everyone above it, under the lock of `lockBalance`.
 * Resolves with the UTC day, YYYY-MM-DD, whose limits it counts to.
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
 * The same for many transfers that make up the amount, each with its own. Resolves with the funds
 * of each: the first have the credit.
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

/**
 * A refund gives the amount back to the limits of the day that it was spent on, and to no other
 * day's. That day may be over for some of the agents above, and not for others.
 */
export async function unspend(
  db: Database,
  { agentId, day, amount }: { agentId: number; day: string; amount: Micros },
): Promise<void> {
  await execute(
    db,
    `with past as (
       update past_spend set amount = greatest(0, amount - $2) where ${OF_THAT_DAY})
     update spend set amount = greatest(0, amount - $2) where ${OF_THAT_DAY}`,
    [agentId, amount, day],
  );
}

const OF_THAT_DAY =
  'agent_id = any (array(select unnest(lineage) from agent where id = $1)) and day = $3';
