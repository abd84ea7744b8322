import { runAgain, timer } from '../../jobs/timers/timer.ts';
import { toUsd } from '../../kernel/money.ts';
import { Output, Type } from '../../kernel/schema.ts';
import { column, rows } from '../../platform/rows.ts';
import { emit } from '../events/events.ts';
import { IS_NEAR } from './policy.ts';

/** Agents that are told of in one transaction. */
const AGENTS_MAX = 500;

export const watchSpending = timer({
  name: 'watch_spending',
  title: 'Watch spending',
  summary: 'Internal: tells owners of agents that have spent most of their daily limit.',
  everyMs: 60_000,
  output: Output({ told: Type.Integer({ description: 'Agents that were told of.' }) }),

  async handle(tx) {
    const told = await rows(
      tx.db,
      {
        agent_id: column.id,
        root_id: column.id,
        status: column.text,
        amount: column.micros,
        limit: column.micros,
      },
      `with near as (
         select s.agent_id, s.root_id, s.day, s.amount, p.daily_spend_limit as limit
           from spend s join policy p using (agent_id)
          where s.day = (now() at time zone 'UTC')::date and ${IS_NEAR}
            and not exists (select from spend_alert a
                             where a.agent_id = s.agent_id and a.day >= s.day)
          order by s.agent_id limit $1),
       noted as (
         insert into spend_alert as known (agent_id, root_id, day)
         select agent_id, root_id, day from near
         on conflict (agent_id) do update set day = excluded.day where known.day < excluded.day
         returning agent_id)
       select near.agent_id, near.root_id, agent.status, near.amount, near.limit
         from near join noted using (agent_id) join agent on agent.id = near.agent_id`,
      [AGENTS_MAX],
    );
    await emit(
      tx.db,
      told.map(({ agent_id, root_id, status, amount, limit }) => ({
        agentId: root_id,
        type: 'agent.limit_near' as const,
        object: { kind: 'agent' as const, id: agent_id, status },
        data: { agent_id, amount: toUsd(amount), limit: toUsd(limit) },
      })),
    );
    if (told.length === AGENTS_MAX) await runAgain(tx, 'watch_spending');
    return { told: told.length };
  },
});
