import { watchedChains } from '../deposits/chain/watched_chains.ts';
import { waitsForOperators } from '../deposits/unclaimed/unclaimed_sums.ts';
import { secondsBehindEvents } from '../events/watermark.ts';
import { paceOfJobs } from '../jobs/admin/recent_jobs.ts';
import { secondsOverdue } from '../../jobs/waiting_jobs.ts';
import { fromUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { Input, Nullable, OneOf, Output, Time, Type } from '../../kernel/schema.ts';
import { column, nullable, rows } from '../../platform/rows.ts';
import { selfChecksOf, SelfChecks } from './self_checks.ts';
import { openTokens } from '../tokens/open_tokens.ts';
import { secondsWebhooksWait } from '../webhooks/overdue.ts';
import { openWithdrawals } from '../withdrawals/open_withdrawals.ts';

const DECISIONS = [
  'product_reviews',
  'order_disputes',
  'task_disputes',
  'labor_appeals',
  'withdrawals',
  'payments',
] as const;

const Ms = (description: string) =>
  Nullable(Type.Number({ description: `Milliseconds ${description}; null: none ended.` }));

export const operatorOverview = operation({
  name: 'operator_overview',
  title: 'Show the health of the platform',
  summary:
    'Operators: shows open decisions, late work (named as in the metrics) and the speed of ' +
    'calls.',
  access: 'operator',
  mode: 'read',
  reads: { costly: true },
  rest: 'GET /api/v1/admin/overview',
  bindings: { tool: false },
  input: Input({}),
  output: Output('OperatorOverview', {
    state: OneOf(
      ['healthy', 'attention'],
      'attention: something is too late, a check failed, or rows or jobs need a person.',
    ),
    decisions: Type.Array(
      Output({
        kind: OneOf(DECISIONS, 'Kind of decision.'),
        count: Type.Integer({ description: 'Decisions that wait.' }),
        oldest_at: Nullable(Time('The oldest waits since then; null: none waits.')),
      }),
      { maxItems: DECISIONS.length, description: 'All kinds, also those with none waiting.' },
    ),
    late: Type.Array(
      Output({
        what: Type.String({ description: 'The measured work.' }),
        seconds: Type.Number({ description: 'Longest wait; 0: none waits.' }),
        seconds_max: Type.Integer({ description: 'Limit above which a person should look.' }),
      }),
      { maxItems: 20, description: 'The worst first.' },
    ),
    self_checks: SelfChecks,
    faults: Type.Integer({ description: 'Rows that a timer could not process.' }),
    held_jobs: Type.Integer({ description: 'Jobs given up, to be checked before a retry.' }),
    calls_per_minute: Type.Number({ description: 'Ended calls of agents, over five minutes.' }),
    p50_ms: Ms('from acceptance to end, median'),
    p99_ms: Ms('from acceptance to end, 99th percentile'),
  }),

  async handle(tx) {
    const { db, config, now } = tx;
    const decisions = await rows(db, DECISION, WAITING, [fromUsd(config.deposits.reviewAbove)]);
    const [counts] = await rows(db, COUNTS, FAULTS);
    const pace = await paceOfJobs(db, now);
    const withdrawals = await openWithdrawals(db);
    const { chains, wait_seconds } = await watchedChains(db, config);
    const late = [
      ['a job that no dispatcher has pushed', await secondsOverdue(db), 60],
      ['an event that readers may not see yet', await secondsBehindEvents(db), 60],
      ['a webhook that has events to be sent', await secondsWebhooksWait(db), 600],
      ['a withdrawal that may be paid', withdrawals.wait_seconds, 900],
      ['a token that is not issued yet', (await openTokens(db)).wait_seconds, 900],
      ['a payment by chain that waits for a price', wait_seconds, 900],
      ...chains.map(
        ({ rail, lag_seconds }) => [`blocks of ${rail} to be searched`, lag_seconds, 900] as const,
      ),
    ] as const;
    const worst = late
      .map(([what, seconds, seconds_max]) => ({
        what,
        seconds: Math.round(seconds * 10) / 10,
        seconds_max,
      }))
      .toSorted((a, b) => b.seconds / b.seconds_max - a.seconds / a.seconds_max);
    const isLate = worst.some(({ seconds, seconds_max }) => seconds > seconds_max);
    const { faults, held } = counts!;
    const checks = await selfChecksOf(tx);
    const isFailed = checks.some(({ status }) => status === 'failed');
    return {
      state:
        isLate || isFailed || faults > 0 || held > 0
          ? ('attention' as const)
          : ('healthy' as const),
      decisions: decisions.map(({ kind, count, oldest_at }) => ({
        kind: kind as (typeof DECISIONS)[number],
        count,
        oldest_at: oldest_at?.toISOString() ?? null,
      })),
      late: worst,
      self_checks: checks,
      faults,
      held_jobs: held,
      calls_per_minute: Math.round((pace.jobs / pace.seconds) * 600) / 10,
      p50_ms: pace.p50_ms,
      p99_ms: pace.p99_ms,
    };
  },
});

const DECISION = { kind: column.text, count: column.int, oldest_at: nullable(column.time) };
const COUNTS = { faults: column.int, held: column.int };

const FAULTS = `
  select (select count(*) from sweep_fault)::int as faults,
         (select count(*) from job where run_at = 'infinity' and status = 'pending'
             and deferral is null)::int as held`;

/** SQL: each part reads an index of what waits. A dispute waits for its seller first. */
const WAITING = `
  select kind, count::int, oldest_at from (
    select 1 as place, 'product_reviews' as kind, count(*) as count, min(created_at) as oldest_at
      from product where status = 'pending_review'
    union all
    select 2, 'order_disputes', count(*), min(opened_at) from dispute
     where closed_at is null and responded_at is not null
    union all
    select 3, 'task_disputes', count(*), min(opened_at) from task_dispute where closed_at is null
    union all
    select 4, 'labor_appeals', count(*), min(delivered_at) from labor_claim
     where status = 'appealed' and judged_by = 'poster'
    union all
    select 5, 'withdrawals', count(*), min(created_at) from withdrawal
     where closed_at is null and (review = 'pending' or needs is not null)
    union all
    select 6, 'payments', count(*), min(d.created_at) from deposit d
     where d.status in ('unclaimed', 'held') and ${waitsForOperators('$1')}) waiting
   order by place`;
