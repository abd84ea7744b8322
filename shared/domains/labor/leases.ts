import type { EntityManager } from 'typeorm';

import { column, rows } from '../../platform/rows.ts';
import { notifyWorkers } from './labor_events.ts';

const ENDED = { id: column.id, task_id: column.id, unit_id: column.id, agent_id: column.id };

/**
 * Ends claims of a task whose leases are over, so that others get their units. Claims locked by a
 * delivery at this moment are skipped.
 */
export async function endLeases(
  db: EntityManager,
  { taskId, limit }: { taskId: number; limit: number },
): Promise<void> {
  const ended = await rows(
    db,
    ENDED,
    `with lapsed as (
       select c.id, c.unit_id from labor_claim c join labor_unit u on u.id = c.unit_id
        where c.task_id = $1 and c.status = 'claimed' and c.due_at <= now()
        order by c.due_at limit $2 for no key update of c, u skip locked),
     opened as (
       update labor_unit u set free = u.free + lapsed.count, given_up_at = now()
         from (select unit_id, count(*)::int as count from lapsed group by unit_id) lapsed
        where u.id = lapsed.unit_id)
     update labor_claim c set status = 'expired', due_at = null, closed_at = now()
       from lapsed where c.id = lapsed.id
     returning c.id, c.task_id, c.unit_id, c.agent_id`,
    [taskId, limit],
  );
  await notifyWorkers(db, ended, 'expired');
}
