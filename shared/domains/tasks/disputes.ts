import { Nullable, OneOf, Output, Text, Time, Untrusted } from '../../kernel/schema.ts';
import { untrusted } from '../../kernel/text.ts';
import { column, nullable, oneOf, type Row } from '../../platform/rows.ts';

export const VERDICTS = ['approve', 'refund', 'split'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The dispute of a task as its poster and its worker see it. */
export const TaskDispute = Output('TaskDispute', {
  reason: Untrusted("The worker's complaint."),
  opened_at: Time('Time of opening.'),
  verdict: Nullable(OneOf(VERDICTS, "The operator's decision.")),
  note: Nullable(Text(1, 2000, "The operator's reasons.")),
  closed_at: Nullable(Time('Time of the decision.')),
});

/** The columns of a dispute for `left join`: all null for a task without one. */
export const DISPUTE = {
  reason: nullable(column.text),
  opened_at: nullable(column.time),
  verdict: nullable(oneOf<Verdict>()),
  note: nullable(column.text),
  dispute_closed_at: nullable(column.time),
};
export const DISPUTE_COLUMNS =
  'dispute.reason, dispute.opened_at, dispute.verdict, dispute.note, ' +
  'dispute.closed_at as dispute_closed_at';

/** The field `dispute` of a task, if there is one. */
export function disputeOf(task: Row<typeof DISPUTE>) {
  if (task.reason === null) return {};
  const dispute = {
    reason: untrusted(task.reason),
    opened_at: task.opened_at!.toISOString(),
    verdict: task.verdict,
    note: task.note,
    closed_at: task.dispute_closed_at?.toISOString() ?? null,
  };
  return { dispute };
}
