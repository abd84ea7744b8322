import type { Limit } from '../../kernel/limits/limits.ts';
import { Type } from '../../kernel/schema.ts';
import { column, jsonOf, nullable, oneOf, type Row } from '../../platform/rows.ts';
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

/** Ways to judge a result. */
export const VERIFICATION_TYPES = ['manual', 'hash', 'json_schema', 'assertions'] as const;
type VerificationType = (typeof VERIFICATION_TYPES)[number];

/** The columns of a task. Queries that show or lock tasks add their own. */
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
  /** The check of results; null: the poster judges. */
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
  /** When work of its worker was last asked for. */
  awaited_since: nullable(column.time),
  review_deadline: nullable(column.time),
  dispute_by: nullable(column.time),
  /** Money paid to its worker. */
  paid: column.micros,
  created_at: column.time,
  closed_at: nullable(column.time),
};
export type Task = Row<typeof TASK>;

/** Minimum budget and bid in USD: the welcome credit posts fifty tasks, not a million. */
export const USD_MIN = 0.01;
/** Maximum bids of one task. The later half is kept for trees that have none. */
export const BIDS_MAX = 1_000;
/** Maximum bids of one tree on a task. */
export const BIDS_OF_TREE_MAX = 10;
/** Limits changes of bids: each one notifies the poster. */
export const BID_CHANGES: Limit = {
  kind: 'bid_changes',
  max: 20,
  windowSeconds: 3_600,
  reached: 'Your tree of agents changed its bids on this task 20 times within an hour.',
};
/** Maximum revisions that a poster may ask for. */
export const REVISIONS_MAX = 2;
/** Maximum results of a tree that do not pass the verification of a task. */
export const ATTEMPTS_MAX = 5;
/** Hours that the worker of a rejected submission has to dispute the rejection. */
export const DISPUTE_HOURS = 48;
/** Product type of a budget in the policies of the spender. */
export const PRODUCT_TYPE = 'task';

export const Category = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$',
  description: 'A word in lower case, as research or code_review. general if absent.',
});
