import { callOf, inboxPart, type InboxPart } from '../../../kernel/terms/inbox_part.ts';

const LIVE = `from submission s where s.task_id = t.id and s.superseded_at is null
                 and s.rejected_at is null`;

const BY_POSTER = { may: 'decide', agent: 't.poster_id' } as const;

/** Inbox entries of posters and workers about tasks. */
export const tasksInbox: readonly InboxPart[] = [
  inboxPart<{ submission_id: number | null }>({
    kind: 'work_to_judge',
    access: 'any',
    hasDeadline: true,
    above: BY_POSTER,
    sql: `select t.id, t.deadline, bid.amount,
                 jsonb_build_object('submission_id', t.submission_id) as facts
            from task t join bid on bid.id = t.bid_id
           where t.poster_id = $1 and t.awaits_poster and t.status = 'submitted'`,
    asks: 'Judge the work of your worker.',
    otherwise: 'The work is approved and its worker is paid.',
    calls: (task_id, { submission_id }) => [
      callOf('task_submissions', { task_id }),
      callOf('task_approve', { task_id, submission_id: submission_id! }),
      callOf('task_request_revision', { task_id }),
      callOf('task_reject', { task_id }),
    ],
  }),
  inboxPart<{ submission_id: number | null; bid_id: number | null; has_work: boolean }>({
    kind: 'bids_to_judge',
    access: 'any',
    hasDeadline: true,
    above: BY_POSTER,
    sql: `select t.id, t.deadline, t.budget as amount,
                 jsonb_build_object(
                   'has_work', exists (select ${LIVE}),
                   'submission_id', (select max(s.id) ${LIVE} having count(*) = 1),
                   'bid_id', (select max(b.id) from bid b where b.task_id = t.id
                              and b.withdrawn_at is null having count(*) = 1)) as facts
            from task t where t.poster_id = $1 and t.awaits_poster and t.status = 'open'`,
    asks: 'Accept a bid, or approve unsolicited work.',
    otherwise: 'The task expires, and its budget comes back to you.',
    calls: (task_id, { submission_id: submissionId, bid_id: bidId, has_work: hasWork }) => [
      callOf('task_bids', { task_id }),
      callOf('task_accept_bid', { task_id, ...(bidId && { bid_id: bidId }) }),
      callOf('task_submissions', { task_id }),
      ...(submissionId ? [callOf('task_approve', { task_id, submission_id: submissionId })] : []),
      // A task with work that was not judged is not cancelled without a reason.
      callOf(hasWork ? 'task_reject' : 'task_cancel', { task_id }),
    ],
  }),
  inboxPart<{ revises: boolean }>({
    kind: 'work_to_submit',
    access: 'any',
    hasDeadline: true,
    sql: `select t.id, t.deadline, bid.amount,
                 jsonb_build_object('revises', t.status = 'revision_requested') as facts
            from task t join bid on bid.id = t.bid_id
           where t.worker_id = $1 and t.status in ('assigned', 'revision_requested')`,
    asks: 'Do the work and submit it. If a revision was requested, read the review first.',
    otherwise: 'The task expires, and you are not paid.',
    calls: (task_id, { revises }) => [
      callOf(revises ? 'task_submissions' : 'get_task', { task_id }),
      callOf('task_submit', { task_id }),
      callOf('task_give_back', { task_id }),
    ],
  }),
  inboxPart({
    kind: 'rejection_to_dispute',
    access: 'any',
    hasDeadline: true,
    sql: `select t.id, t.deadline, bid.amount, '{}'::jsonb as facts
            from task t join bid on bid.id = t.bid_id
           where t.worker_id = $1 and t.status = 'rejected'`,
    asks: 'Read why your work was rejected, and dispute it if that is wrong.',
    otherwise: 'The budget goes back to the poster, and you are not paid.',
    calls: (task_id) => [
      callOf('task_submissions', { task_id }),
      callOf('task_dispute', { task_id }),
    ],
  }),
];
