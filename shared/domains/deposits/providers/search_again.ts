import { operation } from '../../../kernel/operation.ts';
import { Input, OneOf, Output, Type } from '../../../kernel/schema.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, execute, nullable, row, rows, type Database } from '../../../platform/rows.ts';
import { computedSoFar, restSince } from '../../../platform/shares/rest.ts';
import type { ChainTransfer, DepositChain, Recipients } from '../chain/deposit_chain.ts';
import { CHAIN_RAILS, networkOf, type ChainRail } from '../chain/networks.ts';
import { chainsOn, paidToUs, railOf, searchedRecipients } from '../chain/recipients.ts';
import { settle } from '../chain/settle.ts';
import { pricesOf } from '../prices/deposit_value.ts';

/**
 * Time from a search to the second look at the same blocks, at least; it is at most twice that. By
 * then a node that was behind, or lost its index, has what it had not.
 */
const LATER_MINUTES = 60;
/** Time that a job looks; then it rests for a minute, because it has no haste. */
const GATHER_MS = 5_000;
const GATHER_MS_MAX = 70_000;
const REST_SECONDS = 60;
/** Seconds after which a look counts as ended, whatever became of its job. */
const LOOK_SECONDS = 180;
/** Maximum payments recorded in one transaction. */
const TRANSFERS_MAX = 200;

interface Look {
  readonly network: string;
  readonly recipients: Recipients;
  /** The last block that was looked at again. */
  readonly from: number;
  readonly goal: number;
}

/**
 * Looks again at blocks that were searched an hour ago. An empty answer to a question about logs,
 * or a list of signatures that lacks one, looks as if nothing had been paid.
 */
export const searchAgain = operation({
  name: 'search_again',
  title: 'Search a chain again',
  summary: 'Internal: credits payments that providers left out when a network was searched.',
  access: 'operator',
  mode: 'job',
  queue: 'probes',
  gatherMs: GATHER_MS_MAX,
  input: Input({ rail: OneOf(CHAIN_RAILS, 'The rail to search.') }),
  output: Output({ found: Type.Integer({ description: 'Number of payments left out before.' }) }),

  async prepare(tx, { rail }): Promise<Look | undefined> {
    const settings = railOf(tx.config, rail);
    if (!settings) return undefined;
    const network = networkOf(rail, settings);
    const { looked_again, again_goal } = await row(
      tx.db,
      { looked_again: nullable(column.int), again_goal: nullable(column.int) },
      'select looked_again, again_goal from chain_cursor where network = $1',
      [network],
    );
    if (looked_again === null || again_goal === null) return undefined;
    const recipients = await searchedRecipients(tx, rail);
    return { network, recipients, from: looked_again, goal: again_goal };
  },

  async gather({ chains, prices }, { rail }, { signal }, look) {
    if (!look) return undefined;
    const found = await lookAt(() => chains(rail), look, signal);
    const signs = found.transfers.map(({ asset }) => asset);
    return { look, ...found, prices: signs.length > 0 ? await pricesOf(prices, signs) : new Map() };
  },

  async handle(tx, { rail }, looked) {
    if (!looked) return { found: 0 };
    const { look, to, prices, fault } = looked;
    const { network } = look;
    if (fault !== undefined) tx.log.warn({ network, fault }, 'a network cannot be searched again');
    const transfers = await paidToUs(tx, rail, looked.transfers);
    const before = await knownOf(tx.db, network, transfers);
    const settled = await settle(tx, { rail, network, transfers, isFinal: true, prices });
    const late = settled.filter(({ transfer: { txId, index } }) => !before.has(`${txId} ${index}`));
    if (late.length > 0) {
      const payments = late.map(({ transfer: { txId } }) => txId);
      tx.log.warn({ network, payments }, 'providers had left out payments when they were searched');
    }
    await move(tx.db, look, { to, found: late.length });
    return { found: late.length };
  },
});

async function lookAt(open: () => DepositChain, look: Look, signal: AbortSignal) {
  const { recipients, goal } = look;
  const transfers: ChainTransfer[] = [];
  let to = look.from;
  let fault: string | undefined;
  try {
    const chain = open();
    const until = Date.now() + GATHER_MS;
    while (to < goal && transfers.length < TRANSFERS_MAX && Date.now() < until) {
      signal.throwIfAborted();
      const begun = computedSoFar();
      const last = Math.min(to + chain.stretchMax, goal);
      transfers.push(...(await chain.scan(to + 1, last, recipients, { isAgain: true })));
      to = last;
      if (to < goal) await restSince(begun, signal);
    }
  } catch (error) {
    fault = String(error).slice(0, 500);
  }
  return { to, transfers, fault };
}

/** The payments among these that are deposits already. */
async function knownOf(db: Database, network: string, transfers: readonly ChainTransfer[]) {
  if (transfers.length === 0) return new Set<string>();
  const found = await rows(
    db,
    { tx_id: column.text, tx_index: column.int },
    'select tx_id, tx_index from deposit where network = $1 and tx_id = any ($2)',
    [network, transfers.map(({ txId }) => txId)],
  );
  return new Set(found.map(({ tx_id, tx_index }) => `${tx_id} ${tx_index}`));
}

/** Moves on; at the goal the next is where the search is now, and is looked at in an hour. */
async function move(
  db: Database,
  { network, from }: Look,
  { to, found }: { to: number; found: number },
): Promise<void> {
  await execute(
    db,
    `update chain_cursor
        set looked_again = $3, found_again = found_again + $4,
            again_goal = case when $3 < again_goal then again_goal else position end,
            again_at = now() + case when $3 < again_goal then interval '${REST_SECONDS} s'
                                    else interval '${LATER_MINUTES} min' end
      where network = $1 and looked_again = $2`,
    [network, from, to, found],
  );
}

/** Takes the rails whose second look is due. The first of a network begins where it is searched. */
export async function takeDueAgain({ db, config }: Tx): Promise<readonly ChainRail[]> {
  const due = await rows(
    db,
    { rail: column.text },
    `update chain_cursor
        set looked_again = least(looked_again, position),
            again_goal = coalesce(again_goal, position),
            again_at = now() + case when looked_again is null
                                    then interval '${LATER_MINUTES} min'
                                    else interval '${LOOK_SECONDS} s' end
      where network = any ($1) and position is not null
        and (again_at is null or again_at <= now())
     returning rail`,
    [chainsOn(config).map(({ network }) => network)],
  );
  return due.map(({ rail }) => rail as ChainRail);
}
