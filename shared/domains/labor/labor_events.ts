import type { EntityManager } from 'typeorm';

import type { EventData } from '../events/event_data.ts';
import type { EventType } from '../events/event_types.ts';
import { emit } from '../events/events.ts';
import type { Claim, ClaimStatus } from './claims.ts';
import type { LaborTask } from './labor_task.ts';

type NamedClaim = Pick<Claim, 'id' | 'task_id' | 'unit_id' | 'agent_id'>;

/** Statuses of a claim that somebody hears of. */
type ToldStatus = Exclude<ClaimStatus, 'claimed' | 'released'>;

const eventOf = (claim: NamedClaim, status: ToldStatus, agentId: number, data: EventData) => ({
  agentId,
  type: `labor.${status === 'verifying' ? 'delivered' : status}` as const,
  object: { kind: 'labor_claim' as const, id: claim.id, status },
  data: { task_id: claim.task_id, claim_id: claim.id, ...data },
});

/** Emits one event for the worker of each claim, with its new status. */
export const notifyWorkers = (
  db: EntityManager,
  claims: readonly NamedClaim[],
  status: ToldStatus,
  data: EventData = {},
): Promise<void> =>
  emit(
    db,
    claims.map((claim) => eventOf(claim, status, claim.agent_id, data)),
  );

/** Emits an event for the poster that a delivery or an appeal waits for. */
export const notifyPoster = (
  db: EntityManager,
  claim: NamedClaim,
  status: 'verifying' | 'appealed',
  { poster_id }: Pick<LaborTask, 'poster_id'>,
): Promise<void> => emit(db, [eventOf(claim, status, poster_id, {})]);

/** The event of each status: labor.expired is about claims. */
const STATUS_EVENTS: Readonly<Record<LaborTask['status'], EventType<'labor'>>> = {
  open: 'labor.resumed',
  paused: 'labor.paused',
  completed: 'labor.completed',
  cancelled: 'labor.cancelled',
  expired: 'labor.ended',
};

/** Emits an event for the poster of a task, with its new status. */
export const notifyOfStatus = (
  db: EntityManager,
  { id, poster_id }: Pick<LaborTask, 'id' | 'poster_id'>,
  status: LaborTask['status'],
  data: EventData,
): Promise<void> =>
  emit(db, [
    {
      agentId: poster_id,
      type: STATUS_EVENTS[status],
      object: { kind: 'labor_task', id, status },
      data: { task_id: id, ...data },
    },
  ]);
