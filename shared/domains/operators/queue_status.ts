import { JOBS_MAX, jobsByOperation } from '../jobs/admin/recent_jobs.ts';
import { operation } from '../../kernel/operation.ts';
import { Input, Nullable, Output, Time, Type } from '../../kernel/schema.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Ms = Nullable(Type.Number({ description: 'Milliseconds; null: none has ended.' }));

export const queueStatus = operation({
  name: 'queue_status',
  title: 'Show waiting jobs by operation',
  summary:
    'Operators: shows for each operation its pending jobs, since when they wait, and the ' +
    'outcomes of the last five minutes, as PostgreSQL records them.',
  access: 'operator',
  mode: 'read',
  reads: { costly: true },
  rest: 'GET /api/v1/admin/queues',
  bindings: { tool: false },
  input: Input({}),
  output: Output('QueueStatus', {
    operations: Type.Array(
      Output({
        operation: Type.String({ description: 'Name of the operation.' }),
        pending: Count('Jobs not ended.'),
        failing: Count('Pending jobs retried after a fault.'),
        resting: Count('Pending jobs given up, or waiting for an owner.'),
        oldest_due_at: Nullable(Time('The oldest is due since then; null: none is.')),
        done: Count(`Jobs ended within five minutes, of the newest ${JOBS_MAX} jobs at most.`),
        refused: Count('Done jobs that ended in a refusal.'),
        p50_ms: Ms,
        p99_ms: Ms,
      }),
      { maxItems: 500, description: 'Operations, longest due first.' },
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
