import type { Limit } from '../kernel/limits/limits.ts';
import { Type } from '../kernel/schema.ts';
import { column, jsonOf, nullable, oneOf, type Row } from '../platform/rows.ts';
import type { TaskCheck } from './checks/task_check.ts';

/** The states of a task. Those from approved on are final, except rejected and disputed. */
export const STATUSES = [
  'open',
  'assigned',
  'submitted',
  'revision_requested',
  'rejected',
  'disputed',
  'approved',
  'refunded',
  'partially_refunded',
  'cancelled',
  'expired',
] as const;
export type TaskStatus = (typeof STATUSES)[number];

/** How a result is judged. */
export const VERIFICATION_TYPES = ['manual', 'hash', 'json_schema', 'assertions'] as const;
export type VerificationType = (typeof VERIFICATION_TYPES)[number];

/** The columns of a task. What shows or locks tasks adds its own. */
export const TASK = {
  id: column.id,
  poster_id: column.id,
  title: column.text,
  description: column.text,
  category: column.text,
  budget: column.micros,
  /** The funds that its escrow was filled with. */
  credit: column.micros,
  cash: column.micros,
  /** The transfer that filled its escrow. */
  escrow_id: column.id,
  verification_type: oneOf<VerificationType>(),
  /** What a result is checked by; null: its poster judges. */
  verification: nullable(jsonOf<TaskCheck>()),
  status: oneOf<TaskStatus>(),
  review_hours: column.int,
  due_at: column.time,
  bids_count: column.int,
  /** The bid that was accepted, or whose submission was approved. */
  bid_id: nullable(column.id),
  /** The submission under review, or the one that was approved. */
  submission_id: nullable(column.id),
  revisions: column.int,
  review_deadline: nullable(column.time),
  dispute_by: nullable(column.time),
  /** What its worker got. */
  paid: column.micros,
  created_at: column.time,
  closed_at: nullable(column.time),
};
export type Task = Row<typeof TASK>;

/** The least that a budget or a bid may be, in USD: credit posts fifty tasks and no million. */
export const USD_MIN = 0.01;
/** Bids of one task, of which the later half is kept for trees that have none. */
export const BIDS_MAX = 1_000;
/** Bids of one tree on it. */
export const BIDS_OF_TREE_MAX = 10;
/** Each change of a bid tells its poster. */
export const BID_CHANGES: Limit = {
  kind: 'bid_changes',
  max: 20,
  windowSeconds: 3_600,
  reached: 'Your tree of agents changed its bids on this task 20 times within an hour.',
};
/** Times that a poster may ask for the same work again. */
export const REVISIONS_MAX = 2;
/** Results of a tree that did not pass the verification of a task. */
export const ATTEMPTS_MAX = 5;
/** How long the worker of a rejected submission has to dispute that, in hours. */
export const DISPUTE_HOURS = 48;
/** The policies of a spender count a budget as this. */
export const PRODUCT_TYPE = 'task';

export const Category = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$',
  description: 'A word in lower case, as research or code_review. general if absent.',
});
