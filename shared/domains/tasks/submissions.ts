import { createHash } from 'node:crypto';

import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Nullable, OneOf, Output, Text, Time, Type, Untrusted } from '../../kernel/schema.ts';
import { beginningOf, shownName, untrusted } from '../../kernel/text.ts';
import {
  column,
  finder,
  execute,
  nullable,
  row,
  type Database,
  type Row,
} from '../../platform/rows.ts';
import type { Task } from './task.ts';

/** submitted: to be judged. superseded: the same bidder submitted again. */
export const SUBMISSION_STATUSES = [
  'submitted',
  'revision_requested',
  'rejected',
  'disputed',
  'approved',
  'refunded',
  'partially_refunded',
  'not_selected',
  'lapsed',
  'superseded',
] as const;
type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

/** Maximum characters of a result. */
export const RESULT_CHARS_MAX = 60_000;
/** Maximum submissions shown with a task. */
export const WORK_SHOWN_MAX = 3;
/** Maximum submissions of one bid, superseded ones included. */
const SUBMISSIONS_MAX = 20;

export const SubmittedWork = Output('SubmittedWork', {
  submission_id: Id('Pass it to task_approve.'),
  task_id: Id('The task.'),
  worker_id: Id('The agent that did it.'),
  worker_username: Type.String({ description: 'Name of the worker.' }),
  status: OneOf(SUBMISSION_STATUSES, 'submitted: to be judged.'),
  result: Untrusted('The result.'),
  result_hash: Text(64, 64, 'SHA-256 of the result in UTF-8, in hex.'),
  duplicate_of: Nullable(Id('An earlier result of another bidder with the same bytes.')),
  submitted_at: Time('Time of submission.'),
  review: Nullable(Untrusted('Reason for a rejection, or the changes requested.')),
});

const SUBMISSION = {
  id: column.id,
  task_id: column.id,
  bid_id: column.id,
  bidder_id: column.id,
  bidder_root: column.id,
  bidder_username: column.text,
  amount: column.micros,
  result: column.text,
  result_hash: column.text,
  created_at: column.time,
  superseded_at: nullable(column.time),
  rejected_at: nullable(column.time),
  duplicate_of: nullable(column.id),
  review: nullable(column.text),
};
/** A submission with its bid. */
export type Submission = Row<typeof SUBMISSION>;

/** Finds submissions by the clauses after `from`: `s` is the submission, `bid` its bid. */
export const findSubmissions = finder(
  SUBMISSION,
  `select s.id, s.task_id, s.bid_id, bid.bidder_id, bid.bidder_root, bid.amount, s.result,
          (select username from agent where id = bid.bidder_id) as bidder_username,
          s.result_hash, s.created_at, s.superseded_at, s.rejected_at, s.duplicate_of,
          s.review
     from submission s join bid on bid.id = s.bid_id`,
);

/** Finds the results of a task that can be approved, newest first. */
export const findLive = (db: Database, taskId: number, limit: number): Promise<Submission[]> =>
  findSubmissions(
    db,
    `where s.task_id = $1 and s.superseded_at is null and s.rejected_at is null
      order by s.id desc limit $2`,
    [taskId, limit],
  );

/** The status of a submission, which follows from its task. */
function submissionStatus(
  { id, superseded_at, rejected_at }: Pick<Submission, 'id' | 'superseded_at' | 'rejected_at'>,
  { status, submission_id }: Pick<Task, 'status' | 'submission_id'>,
): SubmissionStatus {
  if (superseded_at) return 'superseded';
  if (rejected_at) return 'rejected';
  if (status === 'open') return 'submitted';
  if (status === 'cancelled' || status === 'expired') return 'lapsed';
  return id === submission_id && status !== 'assigned' ? status : 'not_selected';
}

export const workOf = (
  submission: Submission,
  task: Pick<Task, 'status' | 'submission_id'>,
  chars = RESULT_CHARS_MAX,
) => ({
  submission_id: submission.id,
  task_id: submission.task_id,
  worker_id: submission.bidder_id,
  worker_username: shownName(submission.bidder_username),
  status: submissionStatus(submission, task),
  result: untrusted(beginningOf(submission.result, chars)),
  result_hash: submission.result_hash,
  duplicate_of: submission.duplicate_of,
  submitted_at: submission.created_at.toISOString(),
  review: submission.review === null ? null : untrusted(submission.review),
});

/** SHA-256 of the exact bytes of a result in UTF-8. */
const hashOf = (result: string): string =>
  createHash('sha256').update(result, 'utf8').digest('hex');

/** Records a result of this bid, which supersedes the one before. The task is locked. */
export async function insertSubmission(
  { db, key }: Tx,
  { id: bidId, task_id: taskId }: { id: number; task_id: number },
  result: string,
): Promise<{ id: number; result_hash: string }> {
  const { made } = await row(
    db,
    { made: column.int },
    'select count(*) as made from submission where bid_id = $1',
    [bidId],
  );
  if (made >= SUBMISSIONS_MAX) {
    throw new Refusal('invalid_transition', `You submitted ${made} results, which is the maximum.`);
  }
  await execute(
    db,
    'update submission set superseded_at = now() where bid_id = $1 and superseded_at is null',
    [bidId],
  );
  return row(
    db,
    { id: column.id, result_hash: column.text },
    `insert into submission (call_id, task_id, bid_id, result, result_hash, duplicate_of)
     values ($1, $2, $3, $4, $5, (
       select min(id) from submission where task_id = $2 and result_hash = $5 and bid_id <> $3))
     returning id, result_hash`,
    [key, taskId, bidId, result, hashOf(result)],
  );
}
