import { holdLiveKey } from '../agents/own_keys.ts';
import { approvalOf, askAtHigh } from '../approvals/ask_at_high.ts';
import { CALL_REFUSALS } from '../approvals/call_refusals.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { fromUsd, type Micros } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import {
  Id,
  Input,
  invalid,
  Nullable,
  OneOf,
  Output,
  Text,
  Type,
  Usd,
} from '../../kernel/schema.ts';
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

/** Limits that can be lifted by name too: some clients that check a schema cannot send null. */
const LIFTABLE = [
  'max_spend_per_tx',
  'daily_spend_limit',
  'approval_threshold',
  'new_seller_threshold',
  'min_seller_buyers',
] as const;
type Liftable = (typeof LIFTABLE)[number];

export const setPolicy = operation({
  name: 'set_policy',
  title: 'Limit what an agent may spend',
  summary:
    'Sets spending limits of an agent below yours and all below it: per call, per UTC day, ' +
    'by category, and the calls you approve first. Limits of agents above bind it too. ' +
    'Absent fields stay, null lifts a limit. No spend committed later exceeds a limit. ' +
    'At level high a change that allows more waits for an owner of the caller. Free.',
  phrasings: `
    limit what a child may spend; daily cap or budget for an agent; allow only some categories;
    require my approval above an amount; spending rules; cap each single payment of agent 52 at
    two dollars; freeze my worker automatically if it behaves strangely; max per day for a
    child; forbid a category for my bot; budget of 10 dollars a day for my subagent; ask me
    before it spends more than five; remove a spending limit; guardrails, allowlist of sellers
    or product types; anomaly detection should suspend it; limit an agent; set a budget; daily
    limit for a bot; max per transaction; rules for my agent; restrict what it can buy; spending
    policy; cap the costs; only let it buy proxies; change the limit; allow more spending;
    governance level; stop it from spending too much; require approval for big purchases; do not
    let it spend more than ten; put my bot on a leash; set rules for a child; how do I restrict
    an agent; stop big purchases; set a ceiling; give my bot more budget; only small payments;
    make purchases need my approval; limit per transaction; governance`,
  access: 'owner',
  owners: { ownerOf: 'agent_id' },
  mode: 'write',
  queue: 'money',
  rest: 'POST /agent/monitor/:agent_id/policy',
  bindings: { alias: 'POST /api/v1/agent/monitor/:agent_id/policy' },
  effects: { idempotent: true },
  refusals: CALL_REFUSALS,
  input: Input({
    agent_id: Id('An agent below yours. The root of a tree may name itself.'),
    max_spend_per_tx: Type.Optional(
      Nullable(Usd('Maximum spend of one call in USD, fee included. 0: nothing.')),
    ),
    daily_spend_limit: Type.Optional(
      Nullable(Usd('Maximum spend of a UTC day in USD, with all below it. 0: nothing.')),
    ),
    approval_threshold: Type.Optional(
      Nullable(Usd('An owner must approve a call that spends more USD. null: none.')),
    ),
    new_seller_threshold: Type.Optional(
      Nullable(
        Usd(
          'At medium and high, an owner must approve the first purchase from a seller above ' +
            'this, in USD. 1 if never set. null: none.',
        ),
      ),
    ),
    lift: Type.Optional(
      Type.Array(OneOf(LIFTABLE, 'A limit.'), {
        maxItems: LIFTABLE.length,
        description: 'Limits to lift, for clients that cannot send null.',
      }),
    ),
    allowed_product_types: Type.Optional(
      Nullable(
        Text(
          0,
          200,
          'Allowed categories, comma-separated. Proxies are proxy_service, ' +
            'email validation is api_service, tasks it posts are task, labor tasks are labor, ' +
            'withdrawals are withdrawal, tokens on Algorand are token. Empty or null: all.',
        ),
      ),
    ),
    governance_level: Type.Optional(
      Nullable(
        OneOf(
          GOVERNANCE_LEVELS,
          'low: limits and approval_threshold. medium: new_seller_threshold too. high: an owner ' +
            'also approves each withdrawal, each call of the agent that lets a policy allow ' +
            'more, and for a day after an anomaly all its spends. null: low.',
        ),
      ),
    ),
    auto_suspend_on_anomaly: Type.Optional(
      Nullable(
        Type.Boolean({
          description: 'An anomaly suspends it, or an agent below it. null: false.',
        }),
      ),
    ),
    min_seller_buyers: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'Established buyers that a seller must have.',
        }),
      ),
    ),
  }),
  output: Output('PolicySetting', {
    success: Type.Literal(true),
    agent_id: Id('The agent the policy is for.'),
    version: Type.Integer({ description: 'Rises by 1 with each change; 0: never set.' }),
    policy: PolicyView,
    effective: EffectiveLimits,
  }),

  async handle(tx, { agent_id, lift = [], ...given }) {
    const change = { ...given, ...liftedLimits(lift, given) };
    const types = typesOf(change.allowed_product_types);
    // Spends read the policies under this lock, so a spend is committed before this transaction,
    // or sees the new policy.
    await lockTreasuries(tx.db, [tx.caller.rootId]);
    // A worker performs what was approved, and the key of that call was looked at then.
    const approvalId = await approvalOf(tx);
    if (!approvalId) await holdLiveKey(tx);
    const lineage = await policiesAbove(tx.db, agent_id);
    const before = lineage.at(-1)!;
    const after: Policy = {
      governance_level: newValueOf(change.governance_level, before.governance_level) ?? 'low',
      max_spend_per_tx: newValueOf(microsOf(change.max_spend_per_tx), before.max_spend_per_tx),
      daily_spend_limit: newValueOf(microsOf(change.daily_spend_limit), before.daily_spend_limit),
      approval_threshold: newValueOf(
        microsOf(change.approval_threshold),
        before.approval_threshold,
      ),
      new_seller_threshold: newValueOf(
        microsOf(change.new_seller_threshold),
        before.new_seller_threshold,
      ),
      allowed_product_types: types ?? before.allowed_product_types,
      auto_suspend_on_anomaly:
        newValueOf(change.auto_suspend_on_anomaly, before.auto_suspend_on_anomaly) ?? false,
      min_seller_buyers: newValueOf(change.min_seller_buyers, before.min_seller_buyers),
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

function liftedLimits(
  names: readonly Liftable[],
  given: { readonly [name in Liftable]?: number | null },
): { [name in Liftable]?: null } {
  const set = names.find((name) => typeof given[name] === 'number');
  if (set) throw invalid([{ pointer: '/lift', message: `must not name ${set}, also set` }]);
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** The new value of a limit. Absent: as before. Null: no limit. */
const newValueOf = <T>(value: T | null | undefined, before: T | null): T | null =>
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
