import type { Gateways } from '../../../composition/gateways.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Input, OneOf, Output, Type } from '../../../kernel/schema.ts';
import { column, execute, nullable, row, type Database } from '../../../platform/rows.ts';
import { computedSoFar, restSince } from '../../../platform/shares/rest.ts';
import type { ChainTransfer, Recipients } from './deposit_chain.ts';
import { CHAIN_RAILS, networkOf, type ChainRail } from './networks.ts';
import { pricesOf, type Prices } from '../prices/deposit_value.ts';
import { paidToUs, railOf, searchedRecipients } from './recipients.ts';
import { settle } from './settle.ts';

const NAME = 'search_chain';
const SPEC = Input({ rail: OneOf(CHAIN_RAILS, 'The rail to search.') });
/** Time that a job searches a network; then another job continues. */
const GATHER_MS = 20_000;
/** Time limit for a network that does not answer. */
const GATHER_MS_MAX = 60_000;
/** Seconds after which a search counts as ended, whatever became of its job. */
export const SEARCH_SECONDS = 120;
/** Maximum payments recorded in one transaction. */
const TRANSFERS_MAX = 200;

interface Search {
  readonly rail: ChainRail;
  readonly network: string;
  readonly isSandbox: boolean;
  readonly recipients: Recipients;
  /** The last block searched; null: none. */
  readonly position: number | null;
  /** Time since when searches fail; null: they succeed. */
  readonly faultedAt: Date | null;
}

interface Stretch {
  /** The last block searched; null: none. */
  readonly to: number | null;
  readonly isCaughtUp: boolean;
  readonly transfers: readonly ChainTransfer[];
}

/**
 * Searches a network for payments to us, from the end of the previous search. Payments are recorded
 * in the transaction that moves the cursor, so none is missed, however long nothing was searched
 * and wherever a search is interrupted.
 */
export const searchChain = operation({
  name: NAME,
  title: 'Search a chain',
  summary: 'Internal: credits the payments in new final blocks.',
  access: 'operator',
  mode: 'job',
  queue: 'probes', // Large answers are read, which must not delay jobs that move money.
  gatherMs: GATHER_MS_MAX + 10_000,
  input: SPEC,
  output: Output({ payments: Type.Integer({ description: 'Number of payments found.' }) }),

  async prepare(tx, { rail }): Promise<Search | undefined> {
    const settings = railOf(tx.config, rail);
    if (!settings) return undefined;
    const network = networkOf(rail, settings);
    const { position, faulted_at } = await row(
      tx.db,
      { position: nullable(column.int), faulted_at: nullable(column.time) },
      'select position, faulted_at from chain_cursor where network = $1',
      [network],
    );
    const recipients = await searchedRecipients(tx, rail);
    const { isSandbox } = settings;
    return { rail, network, isSandbox, recipients, position, faultedAt: faulted_at };
  },

  async gather(gateways, _input, { signal }, search) {
    return search && { search, ...(await find(gateways, search, signal)) };
  },

  async handle(tx, { rail }, found) {
    if (!found) return { payments: 0 };
    const { search, stretch, prices, fault } = found;
    const { network } = search;
    if (fault !== undefined) say(tx, search, fault);
    const transfers = await paidToUs(tx, rail, stretch.transfers);
    await settle(tx, { rail, network, transfers, isFinal: true, prices });
    const goesOn = fault === undefined && !stretch.isCaughtUp;
    await move(tx.db, search, { ...stretch, goesOn, fault });
    if (goesOn) await tx.enqueue(itself, { rail }, { cause: 'rest' });
    return { payments: transfers.length };
  },
});

/** Time that searches may fail before it is logged: short outages of providers are normal. */
const QUIET_MS = 60_000;

function say(tx: Tx, { network, faultedAt }: Search, fault: string): void {
  const isShort = !faultedAt || tx.now.getTime() - faultedAt.getTime() < QUIET_MS;
  const message = 'a network cannot be searched for payments';
  tx.log[isShort ? 'debug' : 'warn']({ network, fault, since: faultedAt }, message);
}

const itself = { name: NAME, queue: 'probes', input: SPEC } as const;

interface Found {
  readonly stretch: Stretch;
  readonly prices: Prices;
  /** The reason it stopped early. Payments found before are recorded all the same. */
  readonly fault: string | undefined;
}

async function find(gateways: Gateways, search: Search, signal: AbortSignal): Promise<Found> {
  const { rail, recipients, isSandbox, position } = search;
  const transfers: ChainTransfer[] = [];
  let to = position;
  let isCaughtUp = false;
  let fault: string | undefined;
  try {
    const chain = gateways.chains(rail);
    const end = (await chain.finalPosition()).number;
    // The first search starts at the end: older payments can be claimed by a call. A sandbox may
    // be a new network, with fewer blocks than were searched.
    if (to === null || (isSandbox && end < to)) to = end;
    const until = Date.now() + GATHER_MS;
    while (to < end && transfers.length < TRANSFERS_MAX && Date.now() < until) {
      signal.throwIfAborted();
      const begun = computedSoFar();
      const last = Math.min(to + chain.stretchMax, end);
      transfers.push(...(await chain.scan(to + 1, last, recipients)));
      to = last;
      if (to < end) await restSince(begun, signal);
    }
    isCaughtUp = to >= end;
  } catch (error) {
    fault = String(error).slice(0, 500);
  }
  const signs = transfers.map(({ asset }) => asset);
  const prices = signs.length > 0 ? await pricesOf(gateways.prices, signs) : new Map();
  return { stretch: { to, isCaughtUp, transfers }, prices, fault };
}

interface Move {
  readonly to: number | null;
  readonly isCaughtUp: boolean;
  readonly goesOn: boolean;
  readonly fault: string | undefined;
}

/** Moves the cursor, unless another job has moved it and recorded the same payments meanwhile. */
async function move(
  db: Database,
  { network, position }: Search,
  { to, isCaughtUp, goesOn, fault }: Move,
): Promise<void> {
  await execute(
    db,
    `update chain_cursor
        set position = $3,
            caught_up_at = case when $4 then now() else caught_up_at end,
            busy_until = case when $5 then now() + interval '${SEARCH_SECONDS} s' end,
            fault = $6,
            faulted_at = case when $6::text is not null then coalesce(faulted_at, now()) end
      where network = $1 and position is not distinct from $2`,
    [network, position, to, isCaughtUp, goesOn, fault],
  );
}
