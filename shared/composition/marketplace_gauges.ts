import { watchedChains } from '../deposits/chain/watched_chains.ts';
import { secondsBehindEvents } from '../events/watermark.ts';
import { secondsOverdue } from '../jobs/waiting_jobs.ts';
import { queues } from '../composition/queues.ts';
import { countLostBatches } from '../proxies/checks/batches.ts';
import type { Context } from '../kernel/context.ts';
import { toUsd } from '../ledger/money.ts';
import { openMovedMoney } from '../ledger/moved_money.ts';
import { counter, type Gauges } from '../platform/metrics.ts';
import { openTokens } from '../tokens/open_tokens.ts';
import { withTimeout } from '../platform/timeout.ts';
import { secondsWebhooksWait } from '../webhooks/overdue.ts';
import { openWithdrawals } from '../withdrawals/open_withdrawals.ts';

/** Prometheus waits for ten seconds. */
const ANSWER_MS_MAX = 2_000;

const transfers = counter(
  'market_transfers_total',
  'Transfers of the ledger, by kind, since the first scrape of this process.',
  ['kind'],
);
const money = counter('market_money_usd_total', 'Dollars that these transfers moved, by kind.', [
  'kind',
]);

interface QueueState {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  readonly latencyMs: number;
}

/**
 * Adds what PostgreSQL and Redis tell of the whole marketplace: it is the same in every process.
 * Returns what asks them, before the gauges are read. Of one that does not answer there is only
 * that it does not.
 */
export function addMarketplaceGauges(gauges: Gauges, context: Context): () => Promise<void> {
  const { reserved, config } = context;
  const movedMoney = openMovedMoney();
  const askDatabase = sharedAnswer(async () => {
    const overdue = await secondsOverdue(reserved);
    const eventsBehind = await secondsBehindEvents(reserved);
    const webhooksWait = await secondsWebhooksWait(reserved);
    const withdrawals = await openWithdrawals(reserved);
    const lostBatches = await countLostBatches(reserved);
    const watched = await watchedChains(reserved, config);
    const tokens = await openTokens(reserved);
    for (const { kind, count, amount } of await movedMoney(reserved)) {
      transfers.inc({ kind }, count);
      money.inc({ kind }, toUsd(amount));
    }
    return { overdue, eventsBehind, webhooksWait, withdrawals, lostBatches, watched, tokens };
  });
  const askRedis = sharedAnswer(() => Promise.all(queues.map((name) => stateOf(context, name))));
  let database: Awaited<ReturnType<typeof askDatabase>>;
  let states: readonly QueueState[] | undefined;

  gauges.add('market_server_answers', '1: the server answers this process.', ['server'], () => [
    [{ server: 'postgresql' }, database ? 1 : 0],
    [{ server: 'redis' }, states ? 1 : 0],
  ]);
  gauges.add(
    'market_overdue_job_seconds',
    'For how long the oldest job has been due that no dispatcher has pushed since.',
    [],
    () => (database ? [[{}, database.overdue]] : []),
  );
  gauges.add(
    'market_events_behind_seconds',
    'For how long the oldest event has been there that readers may not see yet.',
    [],
    () => (database ? [[{}, database.eventsBehind]] : []),
  );
  gauges.add(
    'market_webhooks_wait_seconds',
    'For how long a webhook has waited that has something to be sent; the longest.',
    [],
    () => (database ? [[{}, database.webhooksWait]] : []),
  );
  gauges.add(
    'market_proxy_batches_lost_total',
    'Batches of checks of proxies that had not ended in time, and were left.',
    [],
    () => (database ? [[{}, database.lostBatches]] : []),
  );
  addWithdrawals(gauges, () => database?.withdrawals);
  addChains(gauges, () => database?.watched);
  addTokens(gauges, () => database?.tokens);
  gauges.add('market_queue_batches', 'Batches in Redis, by queue.', ['queue', 'state'], () =>
    (states ?? []).flatMap(({ queue, waiting, active }) => [
      [{ queue, state: 'waiting' }, waiting] as const,
      [{ queue, state: 'active' }, active] as const,
    ]),
  );
  gauges.add(
    'market_queue_latency_seconds',
    'For how long the first batch of a queue has waited for a worker.',
    ['queue'],
    () => (states ?? []).map(({ queue, latencyMs }) => [{ queue }, latencyMs / 1_000]),
  );

  return async () => {
    [database, states] = await Promise.all([askDatabase(), askRedis()]);
  };
}

/** Of a wallet there is nothing until it has paid once. */
function addWithdrawals(gauges: Gauges, read: () => Withdrawals | undefined): void {
  const add = (name: string, help: string, value: (state: Withdrawals) => number | undefined) =>
    gauges.add(`market_withdrawals_${name}`, help, [], () => {
      const state = read();
      const found = state && value(state);
      return found === undefined ? [] : [[{}, found]];
    });
  const usd = (amount: bigint | null) => (amount === null ? undefined : toUsd(amount));
  add(
    'wait_seconds',
    'For how long a withdrawal has waited that may be paid; the longest.',
    (state) => state.wait_seconds,
  );
  add(
    'review_seconds',
    'For how long a withdrawal has waited for the review of an operator; the longest.',
    (state) => state.review_seconds,
  );
  add('open_usd', 'Dollars of all open withdrawals.', (state) => usd(state.amount));
  add('wallet_usd', 'USDC in the wallet that pays.', (state) => usd(state.wallet_usdc));
  add(
    'wallet_payments',
    'For how many payments the gas of that wallet suffices, at the price of now.',
    (state) => state.wallet_payments ?? undefined,
  );
}

function addTokens(gauges: Gauges, read: () => Tokens | undefined): void {
  gauges.add(
    'market_tokens_wait_seconds',
    'For how long a token has waited that is not there yet; the longest.',
    [],
    () => {
      const state = read();
      return state ? [[{}, state.wait_seconds]] : [];
    },
  );
  gauges.add(
    'market_tokens_wallet_algos',
    'ALGO in the wallet that issues tokens, above its minimum balance.',
    [],
    () => {
      const spendable = read()?.micro_algos;
      return typeof spendable === 'bigint' ? [[{}, Number(spendable) / 1e6]] : [];
    },
  );
  gauges.add(
    'market_collections_wallet_sol',
    'SOL in the wallet that makes collections, above its minimum balance.',
    [],
    () => {
      const lamports = read()?.lamports;
      return typeof lamports === 'bigint' ? [[{}, Number(lamports) / 1e9]] : [];
    },
  );
}
type Tokens = Awaited<ReturnType<typeof openTokens>>;
type Withdrawals = Awaited<ReturnType<typeof openWithdrawals>>;

/** Of a rail that is off there is nothing. */
function addChains(gauges: Gauges, read: () => Watched | undefined): void {
  gauges.add(
    'market_chain_lag_seconds',
    'For how long not all final blocks of a network have been searched for payments.',
    ['rail'],
    () => (read()?.chains ?? []).map(({ rail, lag_seconds }) => [{ rail }, lag_seconds]),
  );
  gauges.add(
    'market_chain_unbound_payments',
    'Payments to the platform that were credited to nobody, because nothing says whose they are.',
    ['rail'],
    () => (read()?.chains ?? []).map(({ rail, unbound }) => [{ rail }, unbound]),
  );
  gauges.add(
    'market_deposits_wait_seconds',
    'For how long a final payment by chain has waited for a price; the longest.',
    [],
    () => [read()].flatMap((watched) => (watched ? [[{}, watched.wait_seconds] as const] : [])),
  );
}
type Watched = Awaited<ReturnType<typeof watchedChains>>;

async function stateOf({ queue }: Context, name: string): Promise<QueueState> {
  const latencyMs = await queue.latencyMs(name);
  const { waiting = 0, active = 0 } = await queue.queueOf(name).getJobCounts('waiting', 'active');
  return { queue: name, waiting, active, latencyMs };
}

/**
 * Asks once for all that ask at the same time: a server that hangs must not be asked by each
 * scrape. Undefined: it did not answer in time.
 */
function sharedAnswer<T>(ask: () => Promise<T>): () => Promise<T | undefined> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask().finally(() => (asked = undefined));
    return withTimeout(asked, ANSWER_MS_MAX).catch(() => undefined);
  };
}
