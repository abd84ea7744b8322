import { holdLiveKey } from '../agents/own_keys.ts';
import { approvalOf, askAtHigh } from '../approvals/ask_at_high.ts';
import { CALL_REFUSALS } from '../approvals/call_refusals.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { fromUsd, type Micros } from '../ledger/money.ts';
import { operation } from '../kernel/operation.ts';
import { Id, Input, invalid, Nullable, OneOf, Output, Text, Type, Usd } from '../kernel/schema.ts';
import {
  EffectiveLimits,
  GOVERNANCE_LEVELS,
  limitsUnder,
  PolicyView,
  SPENDING_TYPES,
  viewOf,
  type Policy,
  type SpendingType,
} from './policy.ts';
import { loosenedFields } from './loosening.ts';
import { policiesAbove } from './policies_above.ts';
import { recordVersion } from './policy_versions.ts';

/** Limits that can be lifted by name too: clients that check a tool's schema cannot send null. */
const LIFTABLE = [
  'max_spend_per_tx',
  'daily_spend_limit',
  'approval_threshold',
  'new_seller_threshold',
] as const;
type Liftable = (typeof LIFTABLE)[number];

export const setPolicy = operation({
  name: 'set_policy',
  title: 'Limit what an agent may spend',
  summary:
    'Sets what an agent below yours, and all below that, may spend: in one call, in a UTC day, ' +
    'on what, and which calls you approve first. Limits of the agents above it bind it too. ' +
    'Fields that are absent stay as they are, and null lifts a limit. No spend that is committed ' +
    'later exceeds it. At level high what allows more waits for an owner of the caller. Free.',
  access: 'owner',
  ownerOf: 'agent_id',
  mode: 'write',
  domain: 'policies',
  queue: 'money',
  rest: 'POST /agent/monitor/:agent_id/policy',
  alias: 'POST /api/v1/agent/monitor/:agent_id/policy',
  idempotent: true,
  refusals: CALL_REFUSALS,
  input: Input({
    agent_id: Id('An agent below yours. The root of a tree may name itself.'),
    max_spend_per_tx: Type.Optional(
      Nullable(Usd('The most that one call may spend, in USD, fee included. 0: nothing.')),
    ),
    daily_spend_limit: Type.Optional(
      Nullable(Usd('The most that a UTC day may cost, in USD, with all below it. 0: nothing.')),
    ),
    approval_threshold: Type.Optional(
      Nullable(
        Usd('A call that spends more waits for an owner to approve it, in USD. null: none.'),
      ),
    ),
    new_seller_threshold: Type.Optional(
      Nullable(
        Usd(
          'At medium and high, the first purchase from a seller waits too, if it spends more, ' +
            'in USD. 1 if never set. null: none waits.',
        ),
      ),
    ),
    lift: Type.Optional(
      Type.Array(OneOf(LIFTABLE, 'A limit.'), {
        maxItems: LIFTABLE.length,
        description: 'Limits to lift, where null cannot be sent.',
      }),
    ),
    allowed_product_types: Type.Optional(
      Nullable(
        Text(
          0,
          200,
          'What money may be spent on: categories, comma-separated. Proxies are proxy_service, ' +
            'email validation is api_service, tasks that it posts are task, labor tasks are ' +
            'labor, withdrawals are withdrawal, tokens on Algorand are token. An empty string or null: all.',
        ),
      ),
    ),
    governance_level: Type.Optional(
      Nullable(
        OneOf(
          GOVERNANCE_LEVELS,
          'low: limits and approval_threshold. medium: new_seller_threshold too. high: so ' +
            'does each withdrawal, each call of the agent that lets a policy allow more, and for a ' +
            'day after an anomaly all that it spends. null: low.',
        ),
      ),
    ),
    auto_suspend_on_anomaly: Type.Optional(
      Nullable(
        Type.Boolean({
          description: 'Suspend it, or an agent below it, when a rule finds it odd. null: false.',
        }),
      ),
    ),
  }),
  output: Output('PolicySetting', {
    success: Type.Literal(true),
    agent_id: Id('Whose policy it is.'),
    version: Type.Integer({ description: 'One more with each change; 0: none was ever set.' }),
    policy: PolicyView,
    effective: EffectiveLimits,
  }),

  async handle(tx, { agent_id, lift = [], ...given }) {
    const change = { ...given, ...lifted(lift, given) };
    const types = typesOf(change.allowed_product_types);
    // Whoever spends reads the policies under this lock, so a spend is committed before this
    // transaction, or sees what it has set.
    await lockTreasuries(tx.db, [tx.caller.rootId]);
    // A worker performs what was approved, and the key of that call was looked at then.
    const approvalId = await approvalOf(tx);
    if (!approvalId) await holdLiveKey(tx);
    const lineage = await policiesAbove(tx.db, agent_id);
    const before = lineage.at(-1)!;
    const after: Policy = {
      governance_level: changed(change.governance_level, before.governance_level) ?? 'low',
      max_spend_per_tx: changed(microsOf(change.max_spend_per_tx), before.max_spend_per_tx),
      daily_spend_limit: changed(microsOf(change.daily_spend_limit), before.daily_spend_limit),
      approval_threshold: changed(microsOf(change.approval_threshold), before.approval_threshold),
      new_seller_threshold: changed(
        microsOf(change.new_seller_threshold),
        before.new_seller_threshold,
      ),
      allowed_product_types: types ?? before.allowed_product_types,
      auto_suspend_on_anomaly:
        changed(change.auto_suspend_on_anomaly, before.auto_suspend_on_anomaly) ?? false,
    };
    const isNew = JSON.stringify(viewOf(after)) !== JSON.stringify(viewOf(before));
    const version = before.version + (isNew ? 1 : 0);
    const fields = loosenedFields(before, after);
    const changes = { agent_id, fields };
    const asked = { changes, does: 'lets a policy allow more' };
    const deferral = fields.length > 0 ? await askAtHigh(tx, asked) : undefined;
    if (deferral) throw deferral;
    if (isNew) {
      const { status } = before;
      await recordVersion(tx, { agentId: agent_id, status, version, policy: after, approvalId });
    }
    return {
      success: true as const,
      agent_id,
      version,
      policy: viewOf(after),
      effective: limitsUnder([...lineage.slice(0, -1), after]),
    };
  },
});

function lifted(
  names: readonly Liftable[],
  given: { readonly [name in Liftable]?: number | null },
): { [name in Liftable]?: null } {
  const set = names.find((name) => typeof given[name] === 'number');
  if (set) throw invalid([{ pointer: '/lift', message: `names ${set}, which is also set` }]);
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** Absent: as it was. Null: no limit. */
const changed = <T>(value: T | null | undefined, before: T | null): T | null =>
  value === undefined ? before : value;

const microsOf = (usd: number | null | undefined): Micros | null | undefined =>
  usd === null || usd === undefined ? usd : fromUsd(usd);

function typesOf(text: string | null | undefined): SpendingType[] | undefined {
  if (text === undefined) return undefined;
  if (text === null || text.trim() === '') return [];
  const names = text.split(',').map((name) => name.trim());
  const types = SPENDING_TYPES.filter((type) => names.includes(type));
  if (names.every((name) => (types as string[]).includes(name))) return types;
  const message = `must name, separated by commas, some of ${SPENDING_TYPES.join(', ')}`;
  throw invalid([{ pointer: '/allowed_product_types', message }]);
}
