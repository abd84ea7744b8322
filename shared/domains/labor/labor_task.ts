import type { Limit } from '../../kernel/limits/limits.ts';
import type { Database } from '../../platform/rows.ts';
import { column, execute, jsonOf, nullable, oneOf, type Row } from '../../platform/rows.ts';
import type { Template } from './templates/template.ts';

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

/** open: units can be taken. Otherwise only taken units can be delivered. paused: for a time. */
export const LABOR_STATUSES = ['open', 'paused', 'completed', 'cancelled', 'expired'] as const;
type LaborStatus = (typeof LABOR_STATUSES)[number];

/** The columns of a labor task. Queries that show or lock tasks add their own. */
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
  /** The schema an answer must fit, if verification is 'schema'. */
  json_schema: nullable(jsonOf<object>()),
  /** The form that an answer must have; null: any. */
  template: nullable(jsonOf<Template>()),
  /** Similarity from which two answers agree, 0.5 to 1. */
  similarity: column.float,
  /** Share of gold units a worker must have answered correctly to take a unit. */
  min_accuracy: nullable(column.float),
  auto_accept_hours: column.int,
  /** Number of units with a known answer. */
  gold: column.int,
  /** Maximum deliveries of one tree. */
  worker_units_max: nullable(column.int),
  status: oneOf<LaborStatus>(),
  due_at: column.time,
  /** Number of accepted deliveries; `paid` is the sum paid for them. */
  accepted: column.int,
  paid: column.micros,
  created_at: column.time,
  closed_at: nullable(column.time),
};
export type LaborTask = Row<typeof LABOR_TASK>;

/** The least that a delivery is paid, in USD. */
export const REWARD_MIN = 0.001;
export const UNITS_MAX = 100_000;
/** Maximum deliveries of one unit. */
export const OVERLAP_MAX = 10;
/** Maximum characters of a unit, of an answer to it, and of a known answer. */
export const PAYLOAD_CHARS_MAX = 4_000;
/** Hours that the worker of a rejected delivery has to appeal. */
export const APPEAL_HOURS = 24;
/**
 * Hours that a worker has of whose known answers none was right. Its units are kept from others
 * until then, and a tree that answers nonsense costs nothing.
 */
export const NONE_RIGHT_APPEAL_HOURS = 1;
/** Maximum units of one task that a tree may hold at a time. */
export const HELD_MAX = 50;
/** Maximum units of one task that a tree of no record has, until their verdicts are final. */
export const UNKNOWN_HELD_MAX = 20;
/** Number of known answers by which a worker is judged. */
export const GOLD_MIN = 3;
/**
 * Time after which a delivery is judged by known answers: one for all deliveries of a task, so that
 * nobody sees by it which units are known.
 */
export const VERDICT_MINUTES = 10;
/**
 * Limits the units of one task that a tree takes and then releases or does not deliver in time: at
 * most as many a day as the task has units, so that nobody blocks a small task by taking the same
 * units again and again.
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

/** Whether all units have known answers, as in an examination: then these are the work itself. */
export const isOfGold = ({ gold, units }: Pick<LaborTask, 'gold' | 'units'>) => gold === units;

/** Product type of a budget in the policies of the spender. */
export const PRODUCT_TYPE = 'labor';

/**
 * Locks the taking of units of a task until the transaction ends: shared by those that take units,
 * exclusive for one that ends the task, so that nobody takes a unit of a closed task. An advisory
 * lock, because very many take units of one task. Acquired after the locks of trees.
 */
export async function lockTaking(db: Database, taskId: number, how: 'shared' | 'alone') {
  const lock = how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await execute(db, `select ${lock}(hashtextextended('labor', $1))`, [taskId]);
}
