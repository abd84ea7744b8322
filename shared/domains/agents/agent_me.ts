import { inflowOf } from '../ledger/holdings.ts';
import { toUsd, type Micros } from '../../kernel/money.ts';
import { NextTier, nextTierOf, tierOf } from '../ledger/tiers.ts';
import { TIERS } from '../../kernel/rate_limit.ts';
import { operation } from '../../kernel/operation.ts';
import { Amount, Id, Input, Nullable, OneOf, Output, Time, Type } from '../../kernel/schema.ts';
import { column, namesOf, nullable, row } from '../../platform/rows.ts';
import {
  AGENT_COLUMNS,
  SUSPENSION,
  SUSPENSION_COLUMNS,
  SUSPENSION_JOIN,
  suspensionOf,
  SuspensionView,
} from './agents.ts';
import { Scopes } from '../../kernel/terms/scopes.ts';

export const agentMe = operation({
  name: 'agent_me',
  title: 'Show your agent and key',
  summary:
    'Shows the agent and key that make this call: scopes, spending limits, spending today. For ' +
    'the balance, use get_wallet. Free.',
  phrasings: `
    who am I, identity of my key; what may this key do; my scopes, permissions and limits;
    profile of my account; which account is this key for; my agent id and name; what am I
    allowed to do; whoami; limits and scopes of my API key; check that my key works; my own
    details; which agent am I; is my key valid; what scopes do I have; show my account; my
    rights; check my API key; current identity; my username and id; am I allowed to sell; who
    does this key belong to; tell me about myself; what are my limits; which rights are granted
    to me; am I logged in; what can I do with this key`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/agent/me',
  input: Input({}),
  output: Output('Agent', {
    agent_id: Id('This agent.'),
    username: Type.String({ description: 'Public name.' }),
    owner_id: Nullable(Id('The agent that spawned it; null for a root.')),
    root_id: Id('The root of its tree, which holds the wallet.'),
    status: OneOf(['active', 'suspended'], 'A suspended agent cannot spend, list or withdraw.'),
    suspension: Nullable(SuspensionView),
    tier: OneOf(TIERS, 'Tier of its tree, which sets the requests allowed per minute.'),
    next_tier: NextTier,
    created_at: Time('Registration or spawn time.'),
    scopes: Scopes('Scopes of this key.'),
    key: Output({
      key_id: Id('The key that makes this call.'),
      name: Type.String({ description: 'Name given by its owner.' }),
      prefix: Type.String({ description: 'Start of the key.' }),
      expires_at: Nullable(Time('Expiry time; null: works until revoked.')),
    }),
    policy: Output({
      max_spend_per_tx: Nullable(Amount('Maximum spend of one call; null: no limit.')),
      daily_spend_limit: Nullable(Amount('Maximum spend per UTC day; null: no limit.')),
      allowed_product_types: Nullable(
        Type.String({ description: 'Categories it may buy, comma-separated; null: all.' }),
      ),
    }),
    spent_today: Amount('Spending of it and its children this UTC day.'),
  }),

  async handle({ db, caller, now, config }) {
    const levels = config.api.tiers;
    const inflow = await inflowOf(db, caller.rootId);
    const me = await row(
      db,
      ME_COLUMNS,
      `select ${namesOf(AGENT_COLUMNS, 'a')}, k.name as key_name, k.public_id, k.expires_at,
              ${SUSPENSION}, p.max_spend_per_tx, p.daily_spend_limit,
              array_to_string(p.allowed_product_types, ',') as allowed_product_types,
              case when s.day >= ($3::timestamptz at time zone 'UTC')::date then s.amount else 0 end
                as spent_today
         from agent a
         join api_key k on k.id = $2
         ${SUSPENSION_JOIN}
         left join policy p on p.agent_id = a.id
         left join spend s on s.agent_id = a.id
        where a.id = $1`,
      [caller.agentId, caller.keyId, now],
    );
    return {
      agent_id: me.id,
      username: me.username,
      owner_id: me.owner_id,
      root_id: me.root_id,
      status: me.status,
      suspension: suspensionOf(me),
      tier: tierOf(levels, inflow),
      next_tier: nextTierOf(levels, inflow),
      created_at: me.created_at.toISOString(),
      scopes: [...caller.scopes],
      key: {
        key_id: caller.keyId,
        name: me.key_name,
        prefix: `vnx_${me.public_id}`,
        expires_at: me.expires_at?.toISOString() ?? null,
      },
      policy: {
        max_spend_per_tx: usdOf(me.max_spend_per_tx),
        daily_spend_limit: usdOf(me.daily_spend_limit),
        allowed_product_types: me.allowed_product_types || null,
      },
      spent_today: toUsd(me.spent_today),
    };
  },
});

const ME_COLUMNS = {
  ...AGENT_COLUMNS,
  ...SUSPENSION_COLUMNS,
  key_name: column.text,
  public_id: column.text,
  expires_at: nullable(column.time),
  max_spend_per_tx: nullable(column.micros),
  daily_spend_limit: nullable(column.micros),
  allowed_product_types: nullable(column.text),
  spent_today: column.micros,
};

const usdOf = (micros: Micros | null) => (micros === null ? null : toUsd(micros));
