import {
  Amount,
  Id,
  Nullable,
  OneOf,
  Output,
  Text,
  Time,
  Type,
  Untrusted,
} from '../../kernel/schema.ts';
import { shownName, untrusted } from '../../kernel/text.ts';
import { toUsd } from '../../kernel/money.ts';
import { column, finder, jsonOf, namesOf, nullable, oneOf, type Row } from '../../platform/rows.ts';
import { type LaborTask, type Verification } from './labor_task.ts';

/** claimed: to be delivered. verifying: to be judged. appealed: to be judged once more. */
export const CLAIM_STATUSES = [
  'claimed',
  'verifying',
  'accepted',
  'rejected',
  'appealed',
  'released',
  'expired',
] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];

/** Who has judged a delivery. timeout: its poster did not, in time. */
export const JUDGES = ['gold', 'consensus', 'schema', 'poster', 'timeout', 'operator'] as const;
export type Judge = (typeof JUDGES)[number];

const CLAIM = {
  id: column.id,
  task_id: column.id,
  unit_id: column.id,
  agent_id: column.id,
  root_id: column.id,
  status: oneOf<ClaimStatus>(),
  taken_at: column.time,
  /** The end of the lease of a claimed one; later, its acceptance or the last time to appeal. */
  due_at: nullable(column.time),
  submission: nullable(column.text),
  delivered_at: nullable(column.time),
  /** No rule judges it, or could: it is put before its poster. */
  for_poster: column.boolean,
  judged_by: nullable(oneOf<Judge>()),
  reason: nullable(column.text),
  appeal: nullable(column.text),
  closed_at: nullable(column.time),
};
export type Claim = Row<typeof CLAIM>;

/** An appeal. Times are as PostgreSQL writes them in JSON. */
type Dispute = Readonly<
  Record<'opened_at', string> &
    Record<'note' | 'closed_at', string | null> & {
      decided_by: Judge | null;
      verdict: 'accept' | 'reject' | null;
    }
>;

const UNIT = {
  n: column.int,
  payload: column.text,
};
const CLAIM_OF_UNIT = {
  ...CLAIM,
  ...UNIT,
  /** The known answer of a gold unit, unless it was found to be wrong. */
  expected: nullable(column.text),
  username: column.text,
  dispute: jsonOf<Dispute | null>(),
};
/** A claim with its unit. */
export type ClaimOfUnit = Row<typeof CLAIM_OF_UNIT>;

/** Finds claims with their units by the clauses after `from`: `c` is the claim, `u` the unit. */
export const findClaims = finder(
  CLAIM_OF_UNIT,
  `select ${namesOf(CLAIM, 'c')}, ${namesOf(UNIT, 'u')},
          case when u.voided_at is null then u.expected end as expected,
          (select username from agent where id = c.agent_id) as username,
          case when c.appeal is not null then (
            select jsonb_build_object('opened_at', d.opened_at, 'verdict', d.verdict,
                     'decided_by', d.decided_by, 'note', d.note, 'closed_at', d.closed_at)
              from labor_dispute d where d.claim_id = c.id) end as dispute
     from labor_claim c join labor_unit u on u.id = c.unit_id`,
);

/** The appeal of a claim as both parties see it. */
const LaborDispute = Output('LaborDispute', {
  opened_at: Time('Time of the appeal.'),
  verdict: Nullable(OneOf(['accept', 'reject'], 'The decision.')),
  decided_by: Nullable(OneOf(JUDGES, 'operator, or the poster, who gave in.')),
  note: Nullable(Text(1, 1_000, "The operator's reasons.")),
  closed_at: Nullable(Time('Time of the decision.')),
});

export const ClaimView = Output('LaborClaim', {
  claim_id: Id('Pass it to deliver_labor_task.'),
  task_id: Id('The labor task.'),
  unit_id: Id('The claimed unit. For its worker a number of its own.'),
  worker_id: Id('The agent that took it.'),
  worker_username: Type.String({ description: 'Name of the worker.' }),
  status: OneOf(CLAIM_STATUSES, 'claimed: to be delivered. verifying: to be judged.'),
  payload: Untrusted('The unit itself.'),
  lease_until: Nullable(Time('Last time to deliver it.')),
  submission: Nullable(
    Untrusted('The answer. Its poster reads it when asked to judge it, and once it has paid.'),
  ),
  delivered_at: Nullable(Time('Time of delivery.')),
  judged_by: Nullable(OneOf(JUDGES, 'timeout: its poster did not in time.')),
  reason: Nullable(Untrusted('Reason for the rejection.')),
  appeal: Nullable(Untrusted("The worker's answer to that.")),
  dispute: Nullable(LaborDispute),
  accepted_at: Nullable(Time('Accepted then if nobody judges it.')),
  appeal_by: Nullable(Time('Last time for its worker to appeal.')),
  paid: Amount('Paid for it.'),
  is_final: Type.Boolean({ description: 'Its status cannot change any more.' }),
});

type ShownTask = Pick<LaborTask, 'reward' | 'verification' | 'auto_accept_hours'>;

/** A claim as its poster and operators see it, or its worker. */
export function claimViewOf(claim: ClaimOfUnit, task: ShownTask, side: 'poster' | 'worker') {
  const isWorker = side === 'worker';
  const text = (content: string | null) => (content === null ? null : untrusted(content));
  const due = (...statuses: ClaimStatus[]) =>
    claim.closed_at === null && statuses.includes(claim.status)
      ? (claim.due_at?.toISOString() ?? null)
      : null;
  return {
    claim_id: claim.id,
    task_id: claim.task_id,
    // Workers that compare what they get see only payloads, not which units are the same.
    unit_id: isWorker ? claim.id : claim.unit_id,
    worker_id: claim.agent_id,
    worker_username: shownName(claim.username),
    status: claim.status,
    payload: untrusted(claim.payload),
    lease_until: due('claimed'),
    submission: text(isWorker || isReadable(claim) ? claim.submission : null),
    delivered_at: claim.delivered_at?.toISOString() ?? null,
    judged_by: isWorker ? judgeShown(claim, task) : claim.judged_by,
    reason: text(claim.reason),
    appeal: text(claim.appeal),
    dispute: disputeOf(claim),
    accepted_at: acceptanceOf(claim, task)?.toISOString() ?? null,
    appeal_by: due('rejected'),
    paid: claim.status === 'accepted' ? toUsd(task.reward) : 0,
    is_final: claim.closed_at !== null,
  };
}

function disputeOf({ dispute }: ClaimOfUnit) {
  if (!dispute) return null;
  const iso = (time: string | null) => (time === null ? null : new Date(time).toISOString());
  return { ...dispute, opened_at: iso(dispute.opened_at)!, closed_at: iso(dispute.closed_at) };
}

/** Whether the poster may read the answer: it is or was asked about it, or has paid for it. */
export const isReadable = ({ status, for_poster }: ClaimOfUnit): boolean =>
  status === 'accepted' || status === 'appealed' || for_poster;

/** The judge that a worker is told of: a known answer looks like the rule of the task. */
function judgeShown({ judged_by: by }: Claim, { verification }: ShownTask): Judge | null {
  if (by !== 'gold') return by;
  return verification === 'manual' ? 'poster' : verification;
}

/**
 * Time at which a delivery is accepted if nobody judges it. It does not show which units have known
 * answers: where a rule judges, the poster is asked if it could not, and has as long again.
 */
export function acceptanceOf(claim: Claim, task: ShownTask): Date | null {
  const { status, closed_at: closedAt, delivered_at: deliveredAt, for_poster: isAsked } = claim;
  if (closedAt !== null || !['verifying', 'appealed'].includes(status)) return null;
  if (status === 'appealed' || isAsked) return claim.due_at;
  const waits = task.verification === 'manual' || task.verification === 'schema' ? 1 : 2;
  return new Date(deliveredAt!.getTime() + waits * task.auto_accept_hours * 3_600_000);
}

/** Whether a delivery is judged by known answers, or looks as if it were, a little later. */
export const waitsForRule = (
  { expected }: Pick<ClaimOfUnit, 'expected'>,
  { gold, verification }: Pick<LaborTask, 'gold' | 'verification'>,
): boolean =>
  expected !== null || verification === 'gold' || (verification === 'schema' && gold > 0);

/**
 * Whether others may take the unit instead: it is no unit of a consensus. A known answer is used up
 * by who gives it alone.
 */
export const isOfferedAgain = (
  { expected }: Pick<ClaimOfUnit, 'expected'>,
  { verification }: { verification: Verification },
): boolean => expected !== null || verification !== 'consensus';
