import type { Limit } from '../kernel/limits/limits.ts';
import type { Database } from '../platform/rows.ts';
import { column, execute, jsonOf, nullable, oneOf, type Row } from '../platform/rows.ts';

export const KINDS = [
  'labeling',
  'transcription',
  'translation',
  'classification',
  'moderation',
] as const;
export type LaborKind = (typeof KINDS)[number];

export const VERIFICATIONS = ['manual', 'gold', 'consensus', 'schema'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** open: units can be taken. Else what was taken can be delivered, and paused may be open again. */
export const LABOR_STATUSES = ['open', 'paused', 'completed', 'cancelled', 'expired'] as const;
export type LaborStatus = (typeof LABOR_STATUSES)[number];

/** The columns of a labor task. What shows or locks them adds its own. */
export const LABOR_TASK = {
  id: column.id,
  poster_id: column.id,
  poster_root: column.id,
  kind: oneOf<LaborKind>(),
  title: column.text,
  instructions: column.text,
  reward: column.micros,
  units: column.int,
  overlap: column.int,
  max_overlap: column.int,
  budget: column.micros,
  lease_seconds: column.int,
  verification: oneOf<Verification>(),
  /** Of verification schema: what an answer must fit. */
  json_schema: nullable(jsonOf<object>()),
  /** From which two answers agree, 0.5 to 1. */
  similarity: column.float,
  /** What of its gold units whoever takes a unit must have answered rightly. */
  min_accuracy: nullable(column.float),
  auto_accept_hours: column.int,
  status: oneOf<LaborStatus>(),
  due_at: column.time,
  /** Deliveries, and what was paid for them. */
  accepted: column.int,
  paid: column.micros,
  created_at: column.time,
  closed_at: nullable(column.time),
};
export type LaborTask = Row<typeof LABOR_TASK>;

/** The least that a delivery is paid, in USD. */
export const REWARD_MIN = 0.001;
export const UNITS_MAX = 100_000;
/** Deliveries of one unit. */
export const OVERLAP_MAX = 10;
/** Characters of a unit, of an answer to it, and of a known answer. */
export const PAYLOAD_CHARS_MAX = 4_000;
/** How long the worker of a rejected delivery has to appeal, in hours. */
export const APPEAL_HOURS = 24;
/** Units that a tree may hold of one task at a time. */
export const HELD_MAX = 50;
/**
 * Units of one task that a tree took, and released or did not deliver in time: as many a day as the
 * task has, so that nobody holds a small one for a day by taking the same units again and again.
 */
export function givenUpLimit({ units }: { readonly units: number }): Limit {
  const max = Math.min(100, Math.max(5, units));
  return {
    kind: 'units_given_up',
    max,
    windowSeconds: 86_400,
    reached: `Your tree of agents gave up ${max} units of this labor task within a day.`,
  };
}
/** The policies of a spender count a budget as this. */
export const PRODUCT_TYPE = 'labor';

/**
 * Whoever takes a unit shares this lock, and whoever ends a task has it alone, until the
 * transaction ends: so nobody takes a unit of a task that has just been closed. No row is written
 * for it, because very many take units of one task. It is taken after the locks of trees.
 */
export async function lockTaking(db: Database, taskId: number, how: 'shared' | 'alone') {
  const lock = how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await execute(db, `select ${lock}(hashtextextended('labor', $1))`, [taskId]);
}
