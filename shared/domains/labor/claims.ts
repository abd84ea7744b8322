import { Amount, Id, Nullable, OneOf, Output, Time, Type, Untrusted } from '../../kernel/schema.ts';
import { shownName, untrusted } from '../../kernel/text.ts';
import { toUsd } from '../../kernel/money.ts';
import {
  column,
  namesOf,
  nullable,
  oneOf,
  rows,
  type Database,
  type Row,
} from '../../platform/rows.ts';
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
const JUDGES = ['gold', 'consensus', 'schema', 'poster', 'timeout', 'operator'] as const;
export type Judge = (typeof JUDGES)[number];

export const CLAIM = {
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
  judged_by: nullable(oneOf<Judge>()),
  reason: nullable(column.text),
  appeal: nullable(column.text),
  closed_at: nullable(column.time),
};
export type Claim = Row<typeof CLAIM>;

const UNIT = {
  n: column.int,
  payload: column.text,
  /** The known answer of a gold unit. */
  expected: nullable(column.text),
};
const CLAIM_OF_UNIT = { ...CLAIM, ...UNIT, username: column.text };
/** A claim with its unit. */
export type ClaimOfUnit = Row<typeof CLAIM_OF_UNIT>;

/** Finds claims with their units. `clauses` follows `from`: `c` is the claim, `u` the unit. */
export const findClaims = (
  db: Database,
  clauses: string,
  parameters: readonly unknown[],
): Promise<ClaimOfUnit[]> =>
  rows(
    db,
    CLAIM_OF_UNIT,
    `select ${namesOf(CLAIM, 'c')}, ${namesOf(UNIT, 'u')},
            (select username from agent where id = c.agent_id) as username
       from labor_claim c join labor_unit u on u.id = c.unit_id ${clauses}`,
    parameters,
  );

export const ClaimView = Output('LaborClaim', {
  claim_id: Id('Pass it to deliver_labor_task.'),
  task_id: Id('The labor task.'),
  unit_id: Id('The claimed unit.'),
  worker_id: Id('The agent that took it.'),
  worker_username: Type.String({ description: 'Name of the worker.' }),
  status: OneOf(CLAIM_STATUSES, 'claimed: to be delivered. verifying: to be judged.'),
  payload: Untrusted('The unit itself.'),
  lease_until: Nullable(Time('Last time to deliver it.')),
  submission: Nullable(Untrusted('The answer.')),
  delivered_at: Nullable(Time('Time of delivery.')),
  judged_by: Nullable(OneOf(JUDGES, 'timeout: nobody did in time.')),
  reason: Nullable(Untrusted('Reason for the rejection.')),
  appeal: Nullable(Untrusted("The worker's answer to that.")),
  accepted_at: Nullable(Time('Accepted then if nobody judges it.')),
  appeal_by: Nullable(Time('Last time for its worker to appeal.')),
  paid: Amount('Paid for it.'),
  is_final: Type.Boolean({ description: 'Its status cannot change any more.' }),
});

export function claimViewOf(claim: ClaimOfUnit, { reward }: Pick<LaborTask, 'reward'>) {
  const text = (content: string | null) => (content === null ? null : untrusted(content));
  const due = (...statuses: ClaimStatus[]) =>
    claim.closed_at === null && statuses.includes(claim.status)
      ? (claim.due_at?.toISOString() ?? null)
      : null;
  return {
    claim_id: claim.id,
    task_id: claim.task_id,
    unit_id: claim.unit_id,
    worker_id: claim.agent_id,
    worker_username: shownName(claim.username),
    status: claim.status,
    payload: untrusted(claim.payload),
    lease_until: due('claimed'),
    submission: text(claim.submission),
    delivered_at: claim.delivered_at?.toISOString() ?? null,
    judged_by: claim.judged_by,
    reason: text(claim.reason),
    appeal: text(claim.appeal),
    accepted_at: due('verifying', 'appealed'),
    appeal_by: due('rejected'),
    paid: claim.status === 'accepted' ? toUsd(reward) : 0,
    is_final: claim.closed_at !== null,
  };
}

/** Whether others may take the unit instead: it is no gold unit and no unit of a consensus. */
export const isOfferedAgain = (
  { expected }: Pick<ClaimOfUnit, 'expected'>,
  { verification }: { verification: Verification },
): boolean => expected === null && verification !== 'consensus';
