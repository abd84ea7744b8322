import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { column, execute, nullable, oneOf, rows } from '../../../platform/rows.ts';

export const DECISIONS = ['credit', 'return'] as const;

/** A decision of an operator about a payment. */
export interface Decision {
  readonly depositId: number;
  readonly decision: (typeof DECISIONS)[number];
  /** Credit: the agent. */
  readonly agentId: number | null;
  /** Return: the transfer that paid it back. */
  readonly returned: { network: string; txId: string; index: number } | null;
  readonly evidence: string;
}

const PROPOSED = {
  decision: oneOf<(typeof DECISIONS)[number]>(),
  agent_id: nullable(column.id),
  return_tx_id: nullable(column.text),
  return_index: nullable(column.int),
  first_operator: column.text,
};

/**
 * Whether a decision is to be done now: another operator has said the same, or there is only one
 * operator. Otherwise it is proposed, in place of what was proposed before. The payment is locked.
 */
export async function agree(tx: Tx, decision: Decision): Promise<boolean> {
  const operator = tx.caller.operator!;
  const [before] = await rows(
    tx.db,
    PROPOSED,
    `select decision, agent_id, return_tx_id, return_index, first_operator from deposit_decision
      where deposit_id = $1 and decided_at is null`,
    [decision.depositId],
  );
  const isSame =
    before !== undefined &&
    before.decision === decision.decision &&
    before.agent_id === decision.agentId &&
    before.return_tx_id === (decision.returned?.txId ?? null) &&
    before.return_index === (decision.returned?.index ?? null);
  if (isSame && before.first_operator === operator && tx.config.agents.operators.length > 1) {
    throw new Refusal(
      'invalid_transition',
      'You have already decided so. Another operator has to say the same.',
      { first_operator: operator },
    );
  }
  const isSecond = isSame && before.first_operator !== operator;
  const isDone = isSecond || tx.config.agents.operators.length < 2;
  await (isSecond ? confirm(tx, decision.depositId) : propose(tx, decision, isDone));
  return isDone;
}

const confirm = ({ db, caller }: Tx, depositId: number) =>
  execute(
    db,
    `update deposit_decision set second_operator = $2, decided_at = now() where deposit_id = $1`,
    [depositId, caller.operator],
  );

/** Records a decision. Refuses a return that another payment was given already. */
async function propose(
  { db, caller }: Tx,
  { depositId, decision, agentId, returned, evidence }: Decision,
  isDone: boolean,
): Promise<void> {
  const taken = await rows(
    db,
    { deposit_id: column.id },
    `select deposit_id from deposit_decision
      where (network, return_tx_id, return_index) = ($1, $2, $3) and deposit_id <> $4`,
    [returned?.network, returned?.txId, returned?.index, depositId],
  );
  if (taken[0]) {
    const message = `This transfer returned payment ${taken[0].deposit_id} already.`;
    throw new Refusal('invalid_transition', message);
  }
  await execute(
    db,
    `insert into deposit_decision
       (deposit_id, decision, agent_id, network, return_tx_id, return_index, evidence,
        first_operator, decided_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, case when $9 then now() end)
     on conflict (deposit_id) do update
       set decision = excluded.decision, agent_id = excluded.agent_id,
           network = excluded.network, return_tx_id = excluded.return_tx_id,
           return_index = excluded.return_index, evidence = excluded.evidence,
           first_operator = excluded.first_operator, proposed_at = now(),
           decided_at = excluded.decided_at`,
    [
      depositId,
      decision,
      agentId,
      returned?.network,
      returned?.txId,
      returned?.index,
      evidence,
      caller.operator,
      isDone,
    ],
  );
}
