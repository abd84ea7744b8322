import { column, rows, type Database } from '../../../platform/rows.ts';

interface TaskParties {
  readonly id: number;
  readonly poster_id: number;
  readonly worker_id: number | null;
}

/**
 * Finds, for each task, the one of these agents that posted it; otherwise its worker; otherwise the
 * last bidder.
 */
export async function findTaskAgents(
  db: Database,
  agents: readonly number[],
  tasks: readonly TaskParties[],
) {
  const found = await rows(
    db,
    { task_id: column.id, agent_id: column.id, username: column.text },
    `select t.id as task_id, doer.id as agent_id, doer.username
       from task t
       cross join lateral (
         select case when t.poster_id = any ($2) then t.poster_id else (
           select bidder_id from bid where task_id = t.id and bidder_id = any ($2)
            order by id is not distinct from t.bid_id desc, id desc limit 1) end as id) of_whom
       join agent doer on doer.id = of_whom.id
      where t.id = any ($1)`,
    [tasks.map(({ id }) => id), agents],
  );
  const byTask = new Map(found.map(({ task_id, ...doer }) => [task_id, doer]));
  const roleOf = (task: TaskParties, agentId: number) => {
    if (task.poster_id === agentId) return 'poster' as const;
    return task.worker_id === agentId ? ('worker' as const) : ('bidder' as const);
  };
  return new Map(
    tasks.map((task) => {
      const doer = byTask.get(task.id)!;
      return [task.id, { ...doer, role: roleOf(task, doer.agent_id) }];
    }),
  );
}
