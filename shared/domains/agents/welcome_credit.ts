import { expense, makeTransfers, treasury } from '../ledger/ledger.ts';
import { fromUsd, type Micros } from '../../kernel/money.ts';
import type { Tx } from '../../kernel/tx.ts';
import { execute } from '../../platform/rows.ts';

/** $0.50, once and only for a root: children spend from their root's wallet. */
const WELCOME_CREDIT = 500_000n;
const NO_LIMIT = 2n ** 63n - 1n;

/**
 * Whether a new root agent is the first of its mailbox that is given welcome credit. Until COMMIT
 * others of the mailbox wait.
 */
export async function isFirstOfMailbox(tx: Tx, agentId: number): Promise<boolean> {
  const inserted = await execute(
    tx.db,
    `insert into welcome_mailbox (mailbox, agent_id)
     select mailbox_of(email), id from agent where id = $1
        and not exists (select from welcome_mailbox
                         where mailbox = welcome_digest(mailbox_of(email)))
     on conflict do nothing returning agent_id`,
    [agentId],
  );
  return inserted > 0 || !tx.config.agents.oneWelcomeCreditPerMailbox;
}

/**
 * Gives a new root agent its welcome credit, unless the budget of the UTC day is used up. Exact:
 * the row of the day is locked until COMMIT, so call it last. Returns the amount given.
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
  if (granted === 0) {
    // The mailbox keeps its credit for a day that has some left.
    await execute(tx.db, 'delete from welcome_mailbox where agent_id = $1', [agentId]);
    return 0n;
  }
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
