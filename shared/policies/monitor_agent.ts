import {
  SUSPENSION,
  SUSPENSION_COLUMNS,
  SUSPENSION_JOIN,
  suspensionOf,
  SuspensionView,
} from '../agents/agents.ts';
import { findApprovals, type Approval } from '../approvals/approval.ts';
import { operation } from '../kernel/operation.ts';
import { toUsd } from '../ledger/money.ts';
import { Amount, Id, Input, Nullable, OneOf, Output, Time, Type } from '../kernel/schema.ts';
import { column, oneOf, row } from '../platform/rows.ts';
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

/** As much as one needs to decide; list_approvals has the rest. */
const PendingApproval = Output('PendingApproval', {
  approval_id: Id('Its name.'),
  agent_id: Id('The agent that called.'),
  operation: Type.String({ description: 'What it called.' }),
  amount: Amount('At most.'),
  expires_at: Time('Then the call is refused.'),
});

const shown = ({ id, agent_id, operation: called, amount, expires_at }: Approval) => ({
  approval_id: id,
  agent_id,
  operation: called,
  amount: toUsd(amount),
  expires_at: expires_at.toISOString(),
});

export const monitorAgent = operation({
  name: 'monitor_agent',
  title: 'Monitor an agent',
  summary:
    'Shows what an agent below yours and all below that have spent, and on what, which spends ' +
    'were refused or wait for an owner, what was odd, and the limits that bind it. Free.',
  access: 'owner',
  ownerOf: 'agent_id',
  mode: 'read',
  costly: true,
  domain: 'policies',
  rest: 'GET /agent/monitor/:agent_id',
  alias: 'GET /api/v1/agent/monitor/:agent_id',
  input: Input({
    agent_id: Id('An agent below yours. The root of a tree may name itself.'),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: DAYS_MAX,
        description: `How many UTC days, today included; ${DAYS} if absent.`,
      }),
    ),
  }),
  output: Output('MonitoredAgent', {
    agent_id: Id('The agent.'),
    username: Type.String({ description: 'Shown to others.' }),
    status: OneOf(['active', 'suspended'], 'Its own.'),
    suspension: Nullable(SuspensionView),
    policy: PolicyView,
    effective: EffectiveLimits,
    spend: SpendReport,
    refusals: Type.Array(RefusalsView, {
      maxItems: COUNTED_REFUSALS.length,
      description: 'Refused spends, of 7 days at most.',
    }),
    pending_approvals: Type.Array(PendingApproval, {
      maxItems: APPROVALS_MAX,
      description: 'Calls that wait for an owner.',
    }),
    anomalies: Type.Array(AnomalyView, {
      maxItems: ANOMALIES_MAX,
      description: 'What was odd, newest first.',
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
      pending_approvals: waiting.map(shown),
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
