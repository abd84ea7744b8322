import { creditFirst, insertTransfers, lockTreasuries, sumOf, treasury } from '../ledger/ledger.ts';
import type { Funds, Transfer } from '../ledger/ledger.ts';
import { toUsd, type Micros } from '../ledger/money.ts';
import type { Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { column, execute, row, type Database } from '../platform/rows.ts';
import { assertAllowed, type Spend } from './policy.ts';

/** A tree's money, locked until the transaction ends, and an amount of it that may be spent. */
export interface LockedBalance {
  readonly amount: Micros;
  /** What of it may pay the amount. */
  readonly holds: Funds;
  /** Only cash pays it. */
  readonly cashOnly?: boolean;
}

/**
 * Locks the caller's tree and refuses a spend that a policy above it forbids. The lock covers the
 * money and all spend counters of the tree, and is the first that a transaction takes. It does not
 * refuse what the money does not cover: other reasons to refuse come before that one.
 */
export async function lockBalance(tx: Tx, { amount, productType }: Spend): Promise<LockedBalance> {
  const { rootId } = tx.caller;
  const locked = await lockTreasuries(tx.db, [rootId]);
  await assertAllowed(tx, { amount, productType });
  return { amount, holds: locked.get(rootId)! };
}

/** The same balance for something that credit does not pay for. */
export const cashOnly = ({ amount, holds }: LockedBalance): LockedBalance => ({
  amount,
  holds: { credit: 0n, cash: holds.cash },
  cashOnly: true,
});

export const affords = ({ amount, holds }: LockedBalance): boolean => sumOf(holds) >= amount;

export function assertAffords({ amount, holds, cashOnly }: LockedBalance): void {
  const balance = sumOf(holds);
  if (balance >= amount) return;
  const held = `$${toUsd(balance)}${cashOnly ? ' of cash (the seller takes no credit)' : ''}`;
  throw new Refusal(
    'insufficient_balance',
    `This costs $${toUsd(amount)} and the wallet holds ${held}. Add funds first.`,
    { required: toUsd(amount), balance: toUsd(balance), missing: toUsd(amount - balance) },
  );
}

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

/** Takes the amount from the treasury. */
export async function pay(
  tx: Tx,
  balance: LockedBalance,
  transfer: Pick<Transfer, 'id' | 'kind' | 'ref' | 'to'>,
): Promise<void> {
  assertAffords(balance);
  const from = treasury(tx.caller.rootId);
  await insertTransfers(tx.db, [{ ...transfer, from, ...fundsFrom(balance) }]);
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
