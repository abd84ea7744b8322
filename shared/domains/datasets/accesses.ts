import { emit, eventsFor } from '../events/events.ts';
import { count } from '../../kernel/limits/limits.ts';
import type { Tx } from '../../kernel/tx.ts';
import { execute } from '../../platform/rows.ts';
import { recordOpening, takeOpening } from '../orders/opening.ts';
import type { Right } from './access_right.ts';

/** Records that the caller gets what a dataset delivers, and tells both parties now and then. */
export async function recordAccess(tx: Tx, { dataset, order }: Right): Promise<void> {
  const { db, caller, requestId } = tx;
  if (order?.revealed_at === null) await recordOpening(tx, order);
  else await takeOpening(tx);
  await execute(
    db,
    `insert into opening (agent_id, root_id, object_kind, object_id, first, request_id)
     values ($1, $2, 'dataset', $3, false, $4)`,
    [caller.agentId, caller.rootId, dataset.id, requestId],
  );
  const about = { dataset_id: dataset.id, version: dataset.version };
  const of = `dataset ${dataset.id} version ${dataset.version}`;
  const accesses = await count(tx, ACCESSES, { tree: caller.rootId, of });
  if (!isAnnounced(accesses)) return;
  await emit(
    db,
    eventsFor([caller.agentId, dataset.seller_id], {
      type: 'dataset.accessed',
      object: { kind: 'dataset', id: dataset.id, status: 'active' },
      data: { ...about, accessed_by: caller.agentId, accesses },
    }),
  );
}

/** Accesses of a tree of agents to one version of a dataset. */
const ACCESSES = { kind: 'dataset_accesses', windowSeconds: 3_600 };

/**
 * Whether this access of the hour has events: the 1st, 10th, 100th and so on. A reader who opens it
 * again and again, or page by page, fills no feed and no webhook of its seller, who still hears of
 * each hour, and of many accesses while they happen.
 */
const isAnnounced = (accesses: number): boolean => /^10*$/.test(String(accesses));
