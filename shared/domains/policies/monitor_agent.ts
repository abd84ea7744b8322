import {
  SUSPENSION,
  SUSPENSION_COLUMNS,
  SUSPENSION_JOIN,
  suspensionOf,
  SuspensionView,
} from '../agents/agents.ts';
import { findApprovals } from '../approvals/approval.ts';
import { operation } from '../../kernel/operation.ts';
import { Id, Input, Nullable, OneOf, Output, Type } from '../../kernel/schema.ts';
import { field, view } from '../../kernel/view.ts';
import { column, oneOf, row } from '../../platform/rows.ts';
import {
  anomaliesOf,
  ANOMALIES_MAX,
  AnomalyView,
  refusalsOf,
  RefusalsView,
} from './anomalies/anomaly_view.ts';
import { COUNTED_REFUSALS } from './anomalies/rules.ts';
import { EffectiveLimits, limitsUnder, PolicyView, viewOf } from './policy.ts';
import { policiesAbove } from './policies_above.ts';
import { SpendReport, spendReport } from './spend_report.ts';

const APPROVALS_MAX = 20;
const DAYS = 7;
const DAYS_MAX = 30;
const DAY_MS = 86_400_000;

/** The fields an owner needs to decide; list_approvals has the rest. */
const PendingApproval = view('PendingApproval', {
  approval_id: field.id('The approval.'),
  agent_id: field.id('The agent that called.'),
  operation: field.text('The operation called.'),
  amount: field.amount('Maximum cost.'),
  expires_at: field.time('The call is refused then.'),
});

export const monitorAgent = operation({
  name: 'monitor_agent',
  title: 'Monitor an agent',
  summary:
    'Shows for an agent below yours and all below it: spends by day, category and counterparty, ' +
    'refused spends, spends that wait for an owner, anomalies and its limits. Free.',
  phrasings: `
    watch what a child agent does; activity and spending of one bot of mine; is my agent
    behaving, anomalies; keep an eye on agent 52; what has my child agent been buying; refused
    and odd payments of a subagent; usage of one of my bots; audit a subaccount; what is my bot
    doing; check on a child agent; watch spending of an agent; see what an agent bought;
    supervise; suspicious activity of a subagent; behaviour of my bot; observe one agent; is my
    bot up to something; see what agent 4 is up to; look over the shoulder of my bot; did my
    agent do something odd; what did my child spend on`,
  access: 'owner',
  owners: { ownerOf: 'agent_id' },
  mode: 'read',
  reads: { costly: true },
  rest: 'GET /agent/monitor/:agent_id',
  bindings: { alias: 'GET /api/v1/agent/monitor/:agent_id' },
  input: Input({
    agent_id: Id('An agent below yours. The root of a tree may name itself.'),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: DAYS_MAX,
        description: `UTC days, today included; ${DAYS} if absent.`,
      }),
    ),
  }),
  output: Output('MonitoredAgent', {
    agent_id: Id('The agent.'),
    username: Type.String({ description: 'Name shown to others.' }),
    status: OneOf(['active', 'suspended'], 'Own status of the agent.'),
    suspension: Nullable(SuspensionView),
    policy: PolicyView,
    effective: EffectiveLimits,
    spend: SpendReport,
    refusals: Type.Array(RefusalsView, {
      maxItems: COUNTED_REFUSALS.length,
      description: 'Refused spends, of 7 days at most.',
    }),
    pending_approvals: Type.Array(PendingApproval.schema, {
      maxItems: APPROVALS_MAX,
      description: 'Calls that wait for an owner.',
    }),
    anomalies: Type.Array(AnomalyView, {
      maxItems: ANOMALIES_MAX,
      description: 'Anomalies, newest first.',
    }),
  }),

  async handle(tx, { agent_id, days = DAYS }) {
    const { db, now } = tx;
    const agent = await row(
      db,
      AGENT,
      `select a.username, a.status, ${SUSPENSION}
         from agent a ${SUSPENSION_JOIN} where a.id = $1`,
      [agent_id],
    );
    const policies = await policiesAbove(db, agent_id);
    const since = new Date(now.getTime() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
    const waiting = await findApprovals(tx, WAITING, [agent_id, APPROVALS_MAX]);
    return {
      agent_id,
      username: agent.username,
      status: agent.status,
      suspension: suspensionOf(agent),
      policy: viewOf(policies.at(-1)!),
      effective: limitsUnder(policies),
      spend: await spendReport(db, { agentId: agent_id, since }),
      refusals: await refusalsOf(db, { agentId: agent_id, since: new Date(since) }),
      pending_approvals: waiting.map(PendingApproval.show),
      anomalies: await anomaliesOf(db, agent_id),
    };
  },
});

const AGENT = {
  username: column.text,
  status: oneOf<'active' | 'suspended'>(),
  ...SUSPENSION_COLUMNS,
};

const WAITING = `
  approval.status = 'pending' and $3 = any (agent.lineage) order by approval.id desc limit $4`;
