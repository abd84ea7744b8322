import { seenOf } from '../../agents/status/suspension_refusal.ts';
import { Id, OneOf, Output, Time, Type } from '../../../kernel/schema.ts';
import { column, nullable, oneOf, rows, type Database } from '../../../platform/rows.ts';
import { MEMBERS } from '../members.ts';
import { COUNTED_REFUSALS, explain, RULES, type Rule } from './rules.ts';

export const ANOMALIES_MAX = 20;

export const AnomalyView = Output('Anomaly', {
  anomaly_id: Id('The anomaly.'),
  agent_id: Id('The agent that caused it.'),
  rule: OneOf(RULES, 'The rule that found it.'),
  seen: Type.Number({ description: 'Observed number; USD for daily_spend.' }),
  allowed: Type.Number({ description: 'Limit of the rule.' }),
  explanation: Type.String({ description: 'The finding as a sentence.' }),
  found_at: Time('Time of the finding.'),
});

export const RefusalsView = Output('RefusedSpends', {
  code: Type.String({ description: 'Error code.' }),
  count: Type.Integer({ description: 'Refusals with this code.' }),
});

/** Finds the newest anomalies of an agent and of all below it. */
export async function anomaliesOf(db: Database, agentId: number) {
  const found = await rows(
    db,
    ANOMALY,
    `with member as materialized (${MEMBERS})
     select a.* from member cross join lateral (
       select id, agent_id, rule, seen, allowed, product_id, found_at from anomaly
        where agent_id = member.id order by id desc limit $2) a
      order by a.id desc limit $2`,
    [agentId, ANOMALIES_MAX],
  );
  return found.map((anomaly) => ({
    anomaly_id: anomaly.id,
    agent_id: anomaly.agent_id,
    rule: anomaly.rule,
    seen: seenOf(anomaly.rule, anomaly.seen),
    allowed: seenOf(anomaly.rule, anomaly.allowed),
    explanation: explain(anomaly),
    found_at: anomaly.found_at.toISOString(),
  }));
}

const ANOMALY = {
  id: column.id,
  agent_id: column.id,
  rule: oneOf<Rule>(),
  seen: column.micros,
  allowed: column.micros,
  product_id: nullable(column.id),
  found_at: column.time,
};

/** Counts refused spends of an agent and of all below it since a time, by code. */
export function refusalsOf(db: Database, { agentId, since }: { agentId: number; since: Date }) {
  return rows(
    db,
    { code: oneOf<(typeof COUNTED_REFUSALS)[number]>(), count: column.int },
    `with member as materialized (${MEMBERS})
     select code, sum(count) as count
       from member join refusal on refusal.agent_id = member.id
      where refusal.id >= (select first_id_since('refusal', 'noted_at', $2)) and noted_at >= $2
      group by code order by count desc, code`,
    [agentId, since],
  );
}
