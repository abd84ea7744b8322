import {
  SUSPENSION,
  SUSPENSION_COLUMNS,
  SUSPENSION_JOIN,
  suspensionOf,
  SuspensionView,
} from '../agents/agents.ts';
import { operation } from '../kernel/operation.ts';
import { Id, Input, Nullable, OneOf, Output, Type } from '../kernel/schema.ts';
import { column, nullable, oneOf, row } from '../platform/rows.ts';
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

const DAYS = 7;
const DAYS_MAX = 30;
const DAY_MS = 86_400_000;

export const monitorAgent = operation({
  name: 'monitor_agent',
  title: 'Monitor an agent',
  summary:
    'Shows what an agent below yours and all below that have spent, by day, category and ' +
    'counterparty, which spends were refused, what was odd, and the limits that bind it. Free.',
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
    owner_id: Nullable(Id('The agent that spawned it; null for a root.')),
    status: OneOf(['active', 'suspended'], 'A suspended agent cannot spend, list or withdraw.'),
    suspension: Nullable(SuspensionView),
    policy: PolicyView,
    effective: EffectiveLimits,
    spend: SpendReport,
    refusals: Type.Array(RefusalsView, {
      maxItems: COUNTED_REFUSALS.length,
      description: 'Spends that limits or the balance refused, in these days, 7 at most.',
    }),
    anomalies: Type.Array(AnomalyView, {
      maxItems: ANOMALIES_MAX,
      description: 'What was odd about it and those below it, newest first.',
    }),
  }),

  async handle({ db, now }, { agent_id, days = DAYS }) {
    const agent = await row(
      db,
      AGENT,
      `select a.username, a.owner_id, a.status, ${SUSPENSION}
         from agent a ${SUSPENSION_JOIN} where a.id = $1`,
      [agent_id],
    );
    const policies = await policiesAbove(db, agent_id);
    const since = new Date(now.getTime() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
    return {
      agent_id,
      username: agent.username,
      owner_id: agent.owner_id,
      status: agent.status,
      suspension: suspensionOf(agent),
      policy: viewOf(policies.at(-1)!),
      effective: limitsUnder(policies),
      spend: await spendReport(db, { agentId: agent_id, since }),
      refusals: await refusalsOf(db, { agentId: agent_id, since: new Date(since) }),
      anomalies: await anomaliesOf(db, agent_id),
    };
  },
});

const AGENT = {
  username: column.text,
  owner_id: nullable(column.id),
  status: oneOf<'active' | 'suspended'>(),
  ...SUSPENSION_COLUMNS,
};
