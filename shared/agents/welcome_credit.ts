import { expense, makeTransfers, treasury } from '../ledger/ledger.ts';
import { fromUsd, type Micros } from '../ledger/money.ts';
import type { Tx } from '../kernel/operation.ts';
import { execute } from '../platform/rows.ts';

/** $0.50, once, and only for a root: children spend what their owner has. */
const WELCOME_CREDIT = 500_000n;
const NO_LIMIT = 2n ** 63n - 1n;

/**
 * Gives a new root agent its welcome credit, unless the credit of the day (UTC) is used up. Exact:
 * the row of the day is locked until COMMIT, so call it last. Returns what was given.
 */
export async function giveWelcomeCredit(tx: Tx, agentId: number): Promise<Micros> {
  const perDay = tx.config.agents.welcomeCreditPerDay;
  const granted = await execute(
    tx.db,
    `insert into welcome_credit as today (day, granted)
     select (now() at time zone 'UTC')::date, $1::bigint where $1::bigint <= $2::bigint
     on conflict (day) do update set granted = today.granted + excluded.granted
      where today.granted + excluded.granted <= $2::bigint
     returning day`,
    [WELCOME_CREDIT, perDay === null ? NO_LIMIT : fromUsd(perDay)],
  );
  if (granted === 0) return 0n;
  await makeTransfers(tx, [
    {
      kind: 'welcome',
      ref: agentId,
      from: expense,
      to: treasury(agentId),
      credit: WELCOME_CREDIT,
      cash: 0n,
    },
  ]);
  return WELCOME_CREDIT;
}
