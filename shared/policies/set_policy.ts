import { holdLiveKey } from '../agents/own_keys.ts';
import { emit } from '../events/events.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { fromUsd, type Micros } from '../ledger/money.ts';
import { operation, type Tx } from '../kernel/operation.ts';
import { Id, Input, invalid, Nullable, OneOf, Output, Text, Type, Usd } from '../kernel/schema.ts';
import { execute, namesOf } from '../platform/rows.ts';
import { CATEGORIES, type Category } from '../products/products.ts';
import {
  EffectiveLimits,
  GOVERNANCE_LEVELS,
  limitsUnder,
  POLICY_COLUMNS,
  PolicyView,
  viewOf,
  type Policy,
} from './policy.ts';
import { policiesAbove } from './policies_above.ts';

/** Fields that are recorded and that nothing acts on yet. */
const NOT_IN_FORCE = ['governance_level'] as const;

/** Limits that can be lifted by name too: clients that check a tool's schema cannot send null. */
const LIFTABLE = [
  'max_spend_per_tx',
  'daily_spend_limit',
  'approval_threshold',
  'new_seller_threshold',
] as const;
type Liftable = (typeof LIFTABLE)[number];

/** Level high shall ask about withdrawals and looser policies too, which it does not yet. */
const notInForce = ({ governance_level }: Policy) =>
  governance_level === 'high' ? NOT_IN_FORCE : [];

export const setPolicy = operation({
  name: 'set_policy',
  title: 'Limit what an agent may spend',
  summary:
    'Sets what an agent below yours, and all below that, may spend: in one call, in a UTC day, ' +
    'on what, and which calls you approve first. Limits of the agents above it bind it too. ' +
    'Fields that are absent stay as they are, and null lifts a limit. No spend that is committed ' +
    'later exceeds it. Free.',
  access: 'owner',
  ownerOf: 'agent_id',
  mode: 'write',
  domain: 'policies',
  rest: 'POST /agent/monitor/:agent_id/policy',
  alias: 'POST /api/v1/agent/monitor/:agent_id/policy',
  idempotent: true,
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
          'What may be bought: categories, comma-separated. Proxies are proxy_service, email ' +
            'validation is api_service. An empty string or null: all.',
        ),
      ),
    ),
    governance_level: Type.Optional(
      Nullable(
        OneOf(
          GOVERNANCE_LEVELS,
          'low: limits and approval_threshold. medium: new_seller_threshold too. high: and for ' +
            'a day after an anomaly all that the agent spends waits. null: low.',
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
    not_in_force: Type.Array(OneOf(NOT_IN_FORCE, 'A field.'), {
      maxItems: NOT_IN_FORCE.length,
      description: 'Fields that are recorded and not, or not wholly, in force yet.',
    }),
  }),

  async handle(tx, { agent_id, lift = [], ...given }) {
    const change = { ...given, ...lifted(lift, given) };
    const types = typesOf(change.allowed_product_types);
    // Whoever spends reads the policies under this lock, so a spend is committed before this
    // transaction, or sees what it has set.
    await lockTreasuries(tx.db, [tx.caller.rootId]);
    await holdLiveKey(tx);
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
    if (isNew) {
      await record(tx, { agentId: agent_id, status: before.status, version, policy: after });
    }
    return {
      success: true as const,
      agent_id,
      version,
      policy: viewOf(after),
      effective: limitsUnder([...lineage.slice(0, -1), after]),
      not_in_force: [...notInForce(after)],
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

function typesOf(text: string | null | undefined): Category[] | undefined {
  if (text === undefined) return undefined;
  if (text === null || text.trim() === '') return [];
  const names = text.split(',').map((name) => name.trim());
  const types = CATEGORIES.filter((category) => names.includes(category));
  if (names.every((name) => (types as string[]).includes(name))) return types;
  const message = `must name, separated by commas, some of ${CATEGORIES.join(', ')}`;
  throw invalid([{ pointer: '/allowed_product_types', message }]);
}

interface NewVersion {
  readonly agentId: number;
  readonly status: string;
  readonly version: number;
  readonly policy: Policy;
}

async function record(
  { db, caller }: Tx,
  { agentId, status, version, policy }: NewVersion,
): Promise<void> {
  const names = namesOf(POLICY_COLUMNS);
  const values = [
    agentId,
    version,
    policy.governance_level,
    policy.max_spend_per_tx,
    policy.daily_spend_limit,
    policy.approval_threshold,
    policy.new_seller_threshold,
    policy.allowed_product_types,
    policy.auto_suspend_on_anomaly,
  ];
  await execute(
    db,
    `insert into policy (agent_id, version, ${names}, root_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (agent_id) do update
       set (version, ${names}) = row ($2, $3, $4, $5, $6, $7, $8, $9)`,
    [...values, caller.rootId],
  );
  await execute(
    db,
    `insert into policy_version (agent_id, version, ${names}, set_by, key_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [...values, caller.agentId, caller.keyId],
  );
  // The root reads the events of its whole tree.
  const setter = caller.agentId === caller.rootId ? [] : [caller.agentId];
  const concerned = new Set([agentId, ...setter]);
  const object = { kind: 'agent', id: agentId, status };
  const data = { agent_id: agentId, set_by: caller.agentId, version };
  const type = 'agent.policy_changed';
  await emit(
    db,
    [...concerned].map((id) => ({ agentId: id, type, object, data })),
  );
}
