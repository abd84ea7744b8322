import { toUsd } from '../../../kernel/money.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { column, nullable, row, type Row } from '../../../platform/rows.ts';
import { SUSPENSION, SUSPENSION_COLUMNS, SUSPENSION_JOIN, suspensionOf } from '../agents.ts';

/**
 * The refusal of a caller with a suspended agent in its lineage. It says who can resume that agent.
 * The reason is shown to the suspended agent only, not to those below it.
 */
export async function suspendedRefusal(
  { db, caller }: Pick<Tx, 'db' | 'caller'>,
  { agentId, stops, ...details }: { agentId: number; stops: string; policy_trace?: object },
): Promise<Refusal> {
  const found = await row(
    db,
    SUSPENSION_ROW,
    `select ${SUSPENSION}, anomaly.rule, anomaly.seen, anomaly.allowed
       from agent a ${SUSPENSION_JOIN} left join anomaly on anomaly.id = last.anomaly_id
      where a.id = $1`,
    [agentId],
  );
  const isOwn = agentId === caller.agentId;
  const decision = suspensionOf(found);
  const isOperators = decision?.by === 'an operator';
  const sentences = [
    `Agent ${agentId} is suspended: it and those below it may not ${stops}.`,
    ...(isOwn && found.anomaly_id !== null && found.note !== null ? [found.note] : []),
    isOperators
      ? 'Only an operator may resume it.'
      : 'An agent above it may resume it: ask your owner to check it and call resume_agent.',
  ];
  const suspension = decision && {
    agent_id: agentId,
    ...decision,
    note: isOwn ? decision.note : null,
    anomaly: isOwn ? anomalyOf(found) : null,
  };
  return new Refusal('agent_suspended', sentences.join(' '), { ...details, suspension });
}

const SUSPENSION_ROW = {
  ...SUSPENSION_COLUMNS,
  rule: nullable(column.text),
  seen: nullable(column.micros),
  allowed: nullable(column.micros),
};

const anomalyOf = ({ anomaly_id, rule, seen, allowed }: Row<typeof SUSPENSION_ROW>) =>
  rule === null || seen === null || allowed === null
    ? null
    : { anomaly_id, rule, seen: seenOf(rule, seen), allowed: seenOf(rule, allowed) };

/** The number that a rule found, for callers: USD for daily_spend, else a count. */
export const seenOf = (rule: string, number: bigint): number =>
  rule === 'daily_spend' ? toUsd(number) : Number(number);
