import { JOBS_MAX, jobsByOperation } from '../jobs/admin/recent_jobs.ts';
import { operation } from '../kernel/operation.ts';
import { Input, Nullable, Output, Time, Type } from '../kernel/schema.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Ms = Nullable(Type.Number({ description: 'Milliseconds; null: none has ended.' }));

export const queueStatus = operation({
  name: 'queue_status',
  title: 'Show where jobs wait',
  summary:
    'Operators: shows for each operation what is pending and since when, and how its jobs of the ' +
    'last five minutes ended. PostgreSQL says so; Redis only carries ids.',
  access: 'operator',
  mode: 'read',
  costly: true,
  domain: 'operators',
  rest: 'GET /api/v1/admin/queues',
  tool: false,
  input: Input({}),
  output: Output('QueueStatus', {
    operations: Type.Array(
      Output({
        operation: Type.String({ description: 'Its name.' }),
        pending: Count('Not ended.'),
        failing: Count('Of these, attempted again after a fault.'),
        resting: Count('Of these, given up, or waiting for the decision of an owner.'),
        oldest_due_at: Nullable(Time('Since when one has been due; null: none is.')),
        done: Count(`Of the last five minutes; of the newest ${JOBS_MAX} jobs at most.`),
        refused: Count('Of these, those that ended in a refusal.'),
        p50_ms: Ms,
        p99_ms: Ms,
      }),
      { maxItems: 500, description: 'Due longest first.' },
    ),
  }),

  async handle({ db, now }) {
    const found = await jobsByOperation(db, now);
    const since = (at: Date | null) => at?.getTime() ?? Number.POSITIVE_INFINITY;
    return {
      operations: found
        .toSorted((a, b) => Math.sign(since(a.oldest_at) - since(b.oldest_at)) || 0)
        .map(({ oldest_at, p50_ms, p99_ms, ...one }) => ({
          ...one,
          oldest_due_at: oldest_at?.toISOString() ?? null,
          p50_ms: rounded(p50_ms),
          p99_ms: rounded(p99_ms),
        })),
    };
  },
});

const rounded = (ms: number | null) => (ms === null ? null : Math.round(ms * 10) / 10);
