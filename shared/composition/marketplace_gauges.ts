import { watchedChains } from '../domains/deposits/chain/watched_chains.ts';
import { secondsBehindEvents } from '../domains/events/watermark.ts';
import { secondsOverdue } from '../jobs/waiting_jobs.ts';
import type { QueueCounts } from '../domains/operators/machine/records.ts';
import { countsOf } from './machine/queue_counts.ts';
import { queues } from './queues.ts';
import { countLostBatches } from '../domains/proxies/checks/batches.ts';
import type { Context } from './context.ts';
import { toUsd } from '../kernel/money.ts';
import { openMovedMoney } from '../domains/ledger/moved_money.ts';
import { counter, type Gauges } from '../platform/metrics.ts';
import { facilitatorStates } from '../domains/x402/facilitators/states.ts';
import { openTokens } from '../domains/tokens/open_tokens.ts';
import { withTimeout } from '../platform/timeout.ts';
import { secondsWebhooksWait } from '../domains/webhooks/overdue.ts';
import { openWithdrawals } from '../domains/withdrawals/open_withdrawals.ts';

/** Prometheus waits only ten seconds for a scrape. */
const ANSWER_MS_MAX = 2_000;

const transfers = counter(
  'market_transfers_total',
  'Transfers of the ledger, by kind, since the first scrape of this process.',
  ['kind'],
);
const money = counter('market_money_usd_total', 'Dollars that these transfers moved, by kind.', [
  'kind',
]);

/**
 * Adds gauges of the whole marketplace from PostgreSQL and Redis, the same in every process.
 * Returns the function that reads both, to be called before a scrape. If one does not answer, its
 * gauges are left out and only its failure is shown.
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
    const facilitators = await facilitatorStates(reserved, config.x402);
    for (const { kind, count, amount } of await movedMoney(reserved)) {
      transfers.inc({ kind }, count);
      money.inc({ kind }, toUsd(amount));
    }
    return {
      overdue,
      eventsBehind,
      webhooksWait,
      withdrawals,
      lostBatches,
      watched,
      tokens,
      facilitators,
    };
  });
  const askRedis = sharedAnswer(() => Promise.all(queues.map((name) => countsOf(context, name))));
  let database: Awaited<ReturnType<typeof askDatabase>>;
  let states: readonly QueueCounts[] | undefined;

  gauges.add('market_server_answers', '1: the server answers this process.', ['server'], () => [
    [{ server: 'postgresql' }, database ? 1 : 0],
    [{ server: 'redis' }, states ? 1 : 0],
  ]);
  gauges.add(
    'market_overdue_job_seconds',
    'Seconds since the oldest job that no dispatcher has pushed was due.',
    [],
    () => (database ? [[{}, database.overdue]] : []),
  );
  gauges.add(
    'market_events_behind_seconds',
    'Age of the oldest event that readers may not see yet.',
    [],
    () => (database ? [[{}, database.eventsBehind]] : []),
  );
  gauges.add(
    'market_webhooks_wait_seconds',
    'Longest wait of a webhook with events to send.',
    [],
    () => (database ? [[{}, database.webhooksWait]] : []),
  );
  gauges.add(
    'market_proxy_batches_lost_total',
    'Batches of proxy checks abandoned because they had not ended in time.',
    [],
    () => (database ? [[{}, database.lostBatches]] : []),
  );
  addWithdrawals(gauges, () => database?.withdrawals);
  addChains(gauges, () => database?.watched);
  addTokens(gauges, () => database?.tokens);
  gauges.add(
    'market_x402_facilitator_failing_seconds',
    'Seconds since a facilitator of payments by x402 gives no valid answer; 0: it answers.',
    ['facilitator'],
    () =>
      (database?.facilitators ?? []).map(
        ({ name, failingSeconds }) => [{ facilitator: name }, failingSeconds] as const,
      ),
  );
  gauges.add('market_queue_batches', 'Batches in Redis, by queue.', ['queue', 'state'], () =>
    (states ?? []).flatMap(({ queue, waiting, active }) => [
      [{ queue, state: 'waiting' }, waiting] as const,
      [{ queue, state: 'active' }, active] as const,
    ]),
  );
  gauges.add(
    'market_queue_latency_seconds',
    'Wait of the first batch of a queue for a worker.',
    ['queue'],
    () => (states ?? []).map(({ queue, latency_ms }) => [{ queue }, latency_ms / 1_000]),
  );

  return async () => {
    [database, states] = await Promise.all([askDatabase(), askRedis()]);
  };
}

/** Adds gauges of withdrawals. A wallet has none until it has paid once. */
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
    'Longest wait of a withdrawal that may be paid.',
    (state) => state.wait_seconds,
  );
  add(
    'review_seconds',
    'Longest wait of a withdrawal for the review of an operator.',
    (state) => state.review_seconds,
  );
  add('open_usd', 'Dollars of all open withdrawals.', (state) => usd(state.amount));
  add('wallet_usd', 'USDC in the wallet that pays.', (state) => usd(state.wallet_usdc));
  add(
    'wallet_payments',
    'Payments that the gas of that wallet covers at the present price.',
    (state) => state.wallet_payments ?? undefined,
  );
}

function addTokens(gauges: Gauges, read: () => Tokens | undefined): void {
  gauges.add(
    'market_tokens_wait_seconds',
    'Longest wait of a token for its deployment.',
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

/** Adds gauges of the chains. A rail that is off has none. */
function addChains(gauges: Gauges, read: () => Watched | undefined): void {
  type Chain = Watched['chains'][number];
  const add = (name: string, help: string, valueOf: (chain: Chain) => number) =>
    gauges.add(`market_chain_${name}`, help, ['rail'], () =>
      (read()?.chains ?? []).map((chain) => [{ rail: chain.rail }, valueOf(chain)]),
    );
  add(
    'lag_seconds',
    'Seconds since all final blocks of a network were searched for payments.',
    ({ lag_seconds }) => lag_seconds,
  );
  add(
    'unbound_payments',
    'Payments to the platform that are credited to nobody, because they name no agent.',
    ({ unclaimed }) => unclaimed,
  );
  add('unbound_usd', 'Value of the payments that are credited to nobody.', ({ unclaimed_value }) =>
    toUsd(unclaimed_value),
  );
  add(
    'unbound_seconds',
    'Age of the oldest payment that is credited to nobody.',
    ({ unclaimed_seconds }) => unclaimed_seconds,
  );
  add(
    'found_again_total',
    'Payments that providers left out of the search, and that the second look has found.',
    ({ found_again }) => found_again,
  );
  gauges.add(
    'market_chain_balance_gaps',
    'Addresses of ours that hold another amount on a network than the books say.',
    ['rail'],
    () => (read()?.balances ?? []).map(({ rail, gaps }) => [{ rail }, gaps]),
  );
  gauges.add(
    'market_chain_balances_age_seconds',
    'Seconds since all our addresses on a network were compared with the books.',
    ['rail'],
    () => (read()?.balances ?? []).map(({ rail, ageSeconds }) => [{ rail }, ageSeconds]),
  );
  gauges.add(
    'market_deposits_wait_seconds',
    'Longest wait of a final chain payment for a price.',
    [],
    () => [read()].flatMap((watched) => (watched ? [[{}, watched.wait_seconds] as const] : [])),
  );
}
type Watched = Awaited<ReturnType<typeof watchedChains>>;

/**
 * Shares one answer among concurrent scrapes: a server that hangs must not be asked by each of
 * them. Undefined: no answer in time.
 */
function sharedAnswer<T>(ask: () => Promise<T>): () => Promise<T | undefined> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask().finally(() => (asked = undefined));
    return withTimeout(asked, ANSWER_MS_MAX).catch(() => undefined);
  };
}
