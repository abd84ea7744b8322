import type { EntityManager } from 'typeorm';

import type { EventData } from '../events/event_data.ts';
import { emit } from '../events/events.ts';
import type { Claim, ClaimStatus } from './claims.ts';
import type { LaborTask } from './labor_task.ts';

type Told = Pick<Claim, 'id' | 'task_id' | 'unit_id' | 'agent_id'>;

const eventOf = (claim: Told, status: ClaimStatus, agentId: number, data: EventData) => ({
  agentId,
  type: `labor.${status === 'verifying' ? 'delivered' : status}`,
  object: { kind: 'labor_claim', id: claim.id, status },
  data: { task_id: claim.task_id, claim_id: claim.id, ...data },
});

/** What became of claims: one event for the worker of each. */
export const notifyWorkers = (
  db: EntityManager,
  claims: readonly Told[],
  status: ClaimStatus,
  data: EventData = {},
): Promise<void> =>
  emit(
    db,
    claims.map((claim) => eventOf(claim, status, claim.agent_id, data)),
  );

/** A delivery or an appeal waits for the poster: one event for it. */
export const notifyPoster = (
  db: EntityManager,
  claim: Told,
  status: 'verifying' | 'appealed',
  { poster_id }: Pick<LaborTask, 'poster_id'>,
): Promise<void> => emit(db, [eventOf(claim, status, poster_id, {})]);

/** Claims expire too. */
const STATUS_EVENTS: Readonly<Record<string, string>> = { expired: 'ended', open: 'resumed' };

/** What became of a task, for its poster. */
export const notifyOfStatus = (
  db: EntityManager,
  { id, poster_id }: Pick<LaborTask, 'id' | 'poster_id'>,
  status: string,
  data: EventData,
): Promise<void> =>
  emit(db, [
    {
      agentId: poster_id,
      type: `labor.${STATUS_EVENTS[status] ?? status}`,
      object: { kind: 'labor_task', id, status },
      data: { task_id: id, ...data },
    },
  ]);
