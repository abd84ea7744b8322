import { creditFirst, insertTransfers, lockTreasuries, sumOf, treasury } from '../ledger/ledger.ts';
import type { Funds, Transfer } from '../ledger/ledger.ts';
import { toUsd, type Micros } from '../ledger/money.ts';
import type { Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { execute, type Database } from '../platform/rows.ts';
import { assertAllowed, type Spend } from './policy.ts';

/** A tree's money, locked until the transaction ends, and an amount of it that may be spent. */
export interface LockedBalance {
  readonly amount: Micros;
  readonly holds: Funds;
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

export const affords = ({ amount, holds }: LockedBalance): boolean => sumOf(holds) >= amount;

export function assertAffords({ amount, holds }: LockedBalance): void {
  const balance = sumOf(holds);
  if (balance >= amount) return;
  throw new Refusal(
    'insufficient_balance',
    `This costs $${toUsd(amount)} and the wallet holds $${toUsd(balance)}. Add funds first.`,
    { required: toUsd(amount), balance: toUsd(balance), missing: toUsd(amount - balance) },
  );
}

/** The funds that pay the amount: what cannot be withdrawn first. */
export const fundsFrom = ({ amount, holds }: LockedBalance): Funds => creditFirst(amount, holds);

/** Takes the amount, and counts it as spent today by the agent and everyone above it. */
export async function spend(
  tx: Tx,
  balance: LockedBalance,
  transfer: Pick<Transfer, 'id' | 'kind' | 'ref' | 'to'>,
): Promise<void> {
  assertAffords(balance);
  const { agentId, rootId } = tx.caller;
  await insertTransfers(tx.db, [{ ...transfer, from: treasury(rootId), ...fundsFrom(balance) }]);
  await execute(
    tx.db,
    `update spend set day = today.day,
            amount = case when spend.day = today.day then spend.amount else 0 end + $2
       from (select (now() at time zone 'UTC')::date as day) today
      where agent_id = any (array(select unnest(lineage) from agent where id = $1))`,
    [agentId, balance.amount],
  );
}

/** A refund on the day of the spend (UTC) gives the amount back to the day's limits. */
export async function unspend(
  db: Database,
  { agentId, spentAt, amount }: { agentId: number; spentAt: Date; amount: Micros },
): Promise<void> {
  await execute(
    db,
    `update spend set amount = amount - $2
      where agent_id = any (array(select unnest(lineage) from agent where id = $1))
        and day = (now() at time zone 'UTC')::date
        and day = ($3::timestamptz at time zone 'UTC')::date`,
    [agentId, amount, spentAt],
  );
}
