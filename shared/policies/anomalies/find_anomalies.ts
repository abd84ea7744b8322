import { emit } from '../../events/events.ts';
import { lockTreasuries } from '../../ledger/ledger.ts';
import { isAttemptDue, sweep } from '../../jobs/sweep.ts';
import { operation, type Tx } from '../../kernel/operation.ts';
import { Input, Output, Type } from '../../kernel/schema.ts';
import { column, execute, row } from '../../platform/rows.ts';
import { setStatus } from '../suspension.ts';
import { look, type Finding } from './look.ts';
import { explain } from './rules.ts';

const NAME = 'find_anomalies';

/**
 * Looks for what is odd, and tells the owners: once for an agent, a rule and what it saw. Where a
 * policy says so, it suspends the agent.
 */
export const findAnomalies = operation({
  name: NAME,
  title: 'Find anomalies',
  summary: 'Internal: looks for agents that behave oddly.',
  access: 'operator',
  mode: 'job',
  domain: 'policies',
  queue: 'timers',
  everyMs: 20_000,
  input: Input({}),
  output: Output({
    found: Type.Integer({ description: 'How many anomalies.' }),
    failed: Type.Integer({ description: 'How many could not be recorded; see list_faults.' }),
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
    const note = `${explain(finding)} Its owner looks at it and may let it go on: resume_agent.`;
    await setStatus(tx, agentId, 'suspended', { anomalyId, note });
  }
  // The root reads the events of its whole tree.
  const concerned = owners.length > 0 ? owners : [agentId];
  const object = { kind: 'agent', id: agentId, status: suspends ? 'suspended' : 'active' };
  const data = { agent_id: agentId, anomaly_id: anomalyId, rule };
  const type = 'agent.anomaly_found';
  await emit(
    tx.db,
    concerned.map((owner) => ({ agentId: owner, type, object, data })),
  );
}

const AGENT = { owners: column.ids, suspends: column.boolean };
/** As the lock of its tree shows it. A policy binds all below its agent, also in this. */
const STATE = `
  select lineage[2:] as owners,
         status = 'active' and exists (
           select from policy where policy.agent_id = any (lineage) and auto_suspend_on_anomaly)
           as suspends
    from agent where id = $1`;
