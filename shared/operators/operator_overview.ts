import { watchedChains } from '../deposits/chain/watched_chains.ts';
import { secondsBehindEvents } from '../events/watermark.ts';
import { paceOfJobs } from '../jobs/admin/recent_jobs.ts';
import { secondsOverdue } from '../jobs/waiting_jobs.ts';
import { operation } from '../kernel/operation.ts';
import { Input, Nullable, OneOf, Output, Time, Type } from '../kernel/schema.ts';
import { column, nullable, rows } from '../platform/rows.ts';
import { databaseChecks } from '../platform/self_checks/database_checks.ts';
import { SELF_CHECK_NAMES } from '../platform/self_checks/self_check.ts';
import { openTokens } from '../tokens/open_tokens.ts';
import { secondsWebhooksWait } from '../webhooks/overdue.ts';
import { openWithdrawals } from '../withdrawals/open_withdrawals.ts';

const DECISIONS = [
  'product_reviews',
  'order_disputes',
  'task_disputes',
  'labor_appeals',
  'withdrawals',
] as const;

const Ms = (description: string) =>
  Nullable(Type.Number({ description: `Milliseconds. ${description} null: none ended.` }));

export const operatorOverview = operation({
  name: 'operator_overview',
  title: 'Show whether all is well',
  summary:
    'Operators: shows what waits for a decision, whether anything is late, and how fast calls ' +
    'are done. What is late is named as in the metrics.',
  access: 'operator',
  mode: 'read',
  costly: true,
  domain: 'operators',
  rest: 'GET /api/v1/admin/overview',
  tool: false,
  input: Input({}),
  output: Output('OperatorOverview', {
    state: OneOf(
      ['healthy', 'attention'],
      'attention: something is later than it may be, a check failed, or rows or jobs need a person.',
    ),
    decisions: Type.Array(
      Output({
        kind: OneOf(DECISIONS, 'What waits for operators.'),
        count: Type.Integer({ description: 'How many.' }),
        oldest_at: Nullable(Time('Since when the oldest waits; null: none does.')),
      }),
      { maxItems: DECISIONS.length, description: 'All kinds, also those of which none waits.' },
    ),
    late: Type.Array(
      Output({
        what: Type.String({ description: 'What is measured.' }),
        seconds: Type.Number({ description: 'How long the longest has waited; 0: none does.' }),
        seconds_max: Type.Integer({ description: 'Above it somebody should look.' }),
      }),
      { maxItems: 20, description: 'The worst first.' },
    ),
    self_checks: Type.Array(
      Output({
        name: OneOf(SELF_CHECK_NAMES, 'A check of this process.'),
        status: OneOf(
          ['ok', 'warning', 'failed'],
          'failed: no process starts so, or this one gets no calls.',
        ),
        message: Type.String({ description: 'All that was found, and what to do about it.' }),
      }),
      { maxItems: SELF_CHECK_NAMES.length, description: 'All checks.' },
    ),
    faults: Type.Integer({ description: 'Rows that a timer could not process.' }),
    held_jobs: Type.Integer({ description: 'Given up, and to be looked at before a retry.' }),
    calls_per_minute: Type.Number({ description: 'Calls of agents that ended, of five minutes.' }),
    p50_ms: Ms('From acceptance to the end, half of them.'),
    p99_ms: Ms('All but one in a hundred.'),
  }),

  async handle({ db, config, secrets, now }) {
    const decisions = await rows(db, DECISION, WAITING);
    const [counts] = await rows(db, COUNTS, FAULTS);
    const pace = await paceOfJobs(db, now);
    const withdrawals = await openWithdrawals(db);
    const { chains, wait_seconds } = await watchedChains(db, config);
    const late = [
      ['a job that no dispatcher has pushed', await secondsOverdue(db), 60],
      ['an event that readers may not see yet', await secondsBehindEvents(db), 60],
      ['a webhook that has something to be sent', await secondsWebhooksWait(db), 600],
      ['a withdrawal that may be paid', withdrawals.wait_seconds, 900],
      ['a token that is not there yet', (await openTokens(db)).wait_seconds, 900],
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
    const checks = [...config.selfChecks, ...(await databaseChecks(db, secrets))];
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

/** Each reads an index of what waits. A dispute waits for its seller first. */
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
     where closed_at is null and (review = 'pending' or needs is not null)) waiting
   order by place`;
