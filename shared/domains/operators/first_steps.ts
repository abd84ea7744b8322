import { operation } from '../../kernel/operation.ts';
import { Input, Nullable, OneOf, Output, Time, Type } from '../../kernel/schema.ts';
import { column, nullable, rows } from '../../platform/rows.ts';
import { DEMO_AGENTS } from './demo_agents.ts';

const STEPS = ['operator', 'account', 'product', 'agent', 'purchase'] as const;

export const firstSteps = operation({
  name: 'first_steps',
  title: 'Show the first steps of a new marketplace',
  summary:
    'Operators: shows which first steps were taken: an operator signed in, somebody registered, ' +
    'listed a product, connected an agent and bought.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/first-steps',
  bindings: { tool: false },
  input: Input({}),
  output: Output('FirstSteps', {
    done: Type.Integer({ minimum: 0, maximum: STEPS.length, description: 'Steps taken.' }),
    steps: Type.Array(
      Output({
        step: OneOf(
          STEPS,
          'operator: signed in by a browser. agent: made a call with its key. The agents of the ' +
            'demo do not count.',
        ),
        done_at: Nullable(
          Time('It was taken then, or in the hour that began then; null: not yet.'),
        ),
        object_id: Nullable(
          Type.Integer({ description: 'The first account, product, agent or order; null: none.' }),
        ),
      }),
      { minItems: STEPS.length, maxItems: STEPS.length, description: 'All steps, in their order.' },
    ),
  }),

  async handle({ db }) {
    const found = await rows(db, STEP, FIRST, [DEMO_AGENTS]);
    const steps = STEPS.map((step) => {
      const first = found.find((one) => one.step === step);
      return {
        step,
        done_at: first?.done_at?.toISOString() ?? null,
        object_id: first?.object_id ?? null,
      };
    });
    return { done: steps.filter(({ done_at: at }) => at !== null).length, steps };
  },
});

const STEP = { step: column.text, done_at: nullable(column.time), object_id: nullable(column.id) };

/** SQL: each part stops at its first row, in the order of ids, so a large market costs nothing. */
const FIRST = `
  with demo as materialized (select id from agent where username = any ($1))
  (select 'operator' as step, created_at as done_at, null::bigint as object_id
     from web_session where operator is not null order by id limit 1)
  union all
  (select 'account', created_at, id from agent
    where owner_id is null and email is not null and id not in (select id from demo)
    order by id limit 1)
  union all
  (select 'product', created_at, id from product
    where seller_id not in (select id from demo) order by id limit 1)
  union all
  (select 'agent', last_used_at, agent_id from api_key
    where last_used_at is not null and agent_id not in (select id from demo)
    order by id limit 1)
  union all
  (select 'purchase', created_at, id from orders
    where buyer_id not in (select id from demo) order by id limit 1)`;
