import { emit, eventsFor } from '../../events/events.ts';
import { lockTreasuries } from '../../ledger/ledger.ts';
import { isAttemptDue, sweep } from '../../../jobs/timers/sweep.ts';
import { timer } from '../../../jobs/timers/timer.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import { column, execute, row } from '../../../platform/rows.ts';
import { setStatus } from '../suspension.ts';
import { look, type Finding } from './look.ts';
import { explain } from './rules.ts';

const NAME = 'find_anomalies';

/**
 * Looks for anomalies and informs the owners, once for each agent, rule and finding. Suspends the
 * agent if a policy says so.
 */
export const findAnomalies = timer({
  name: NAME,
  title: 'Find anomalies',
  summary: 'Internal: looks for anomalies in what agents do.',
  everyMs: 20_000,
  output: Output({
    found: Type.Integer({ description: 'Anomalies found.' }),
    failed: Type.Integer({ description: 'Anomalies that could not be recorded; see list_faults.' }),
  }),

  async handle(tx) {
    // One look at a time, or two would find the same.
    await execute(tx.db, `select pg_advisory_xact_lock(hashtextextended('${NAME}', 0))`);
    const findings = await look(tx.db, isAttemptDue(NAME, 'f.id'));
    // A suspension is committed before a spend of its tree, or the spend sees it.
    await lockTreasuries(
      tx.db,
      findings.map(({ root_id }) => root_id),
    );
    const { done, failed } = await sweep(tx, {
      operation: NAME,
      items: findings,
      work: async (some) => {
        for (const finding of some) await record(tx, finding);
      },
    });
    return { found: done, failed };
  },
});

async function record(tx: Tx, finding: Finding): Promise<void> {
  const { id: agentId, root_id, rule, seen, allowed, product_id, since, until } = finding;
  const { owners, suspends } = await row(tx.db, AGENT, STATE, [agentId]);
  const { id: anomalyId } = await row(
    tx.db,
    { id: column.id },
    `insert into anomaly (agent_id, root_id, rule, seen, allowed, product_id, since, until, suspends)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [agentId, root_id, rule, seen, allowed, product_id, since, until, suspends],
  );
  if (suspends) {
    const note = `${explain(finding)} Its owner checks it and may call resume_agent.`;
    await setStatus(tx, agentId, 'suspended', { anomalyId, note });
  }
  // The root reads the events of its whole tree.
  const concerned = owners.length > 0 ? owners : [agentId];
  const object = { kind: 'agent' as const, id: agentId, status: suspends ? 'suspended' : 'active' };
  const data = { agent_id: agentId, anomaly_id: anomalyId, rule };
  const type = 'agent.anomaly_found';
  await emit(tx.db, eventsFor(concerned, { type, object, data }));
}

const AGENT = { owners: column.ids, suspends: column.boolean };
/** SQL: the state of an agent under the lock of its tree. A policy binds all below its agent. */
const STATE = `
  select lineage[2:] as owners,
         status = 'active' and exists (
           select from policy where policy.agent_id = any (lineage) and auto_suspend_on_anomaly)
           as suspends
    from agent where id = $1`;
