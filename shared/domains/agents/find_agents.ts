import { findHoldings, type Holdings } from '../ledger/holdings.ts';
import { sumOf } from '../ledger/ledger.ts';
import { toUsd } from '../../kernel/money.ts';
import { tierOf, type TierLevels } from '../ledger/tiers.ts';
import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import {
  Amount,
  Id,
  Input,
  List,
  Nullable,
  OneOf,
  Output,
  Paging,
  Text,
  Time,
  Type,
} from '../../kernel/schema.ts';
import { TIERS } from '../../kernel/rate_limit.ts';
import { canonical, parseAddress } from '../../kernel/mail_address.ts';
import { column, namesOf, nullable, rows, type Row } from '../../platform/rows.ts';
import {
  AGENT_COLUMNS,
  KEY_WORKS,
  SUSPENSION,
  SUSPENSION_COLUMNS,
  SUSPENSION_JOIN,
  suspensionOf,
  SuspensionView,
} from './agents.ts';

export const findAgents = operation({
  name: 'find_agents',
  title: 'Find agents',
  summary:
    'Operators: finds agents by id, name, email, tree or status, newest first, with the balances ' +
    'of their trees, their spending today and their suspensions.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/agents',
  bindings: { tool: false },
  input: Input({
    agent_id: Type.Optional(Id('Only this agent.')),
    username: Type.Optional(Text(1, 64, 'Only this name, in any case.')),
    email: Type.Optional(Text(3, 320, 'Only this address, in any case.')),
    root_id: Type.Optional(Id('Only the agents of this tree.')),
    status: Type.Optional(OneOf(['active', 'suspended'], 'Only agents whose own status this is.')),
    ...Paging,
  }),
  output: List(
    'agents',
    Output('AgentAccount', {
      agent_id: Id('The agent.'),
      username: Type.String({ description: 'Public name.' }),
      email: Nullable(Type.String({ description: 'Email address of a root; null for a child.' })),
      owner_id: Nullable(Id('The agent that spawned it; null for a root.')),
      owner_username: Nullable(Type.String({ description: 'Name of the owner.' })),
      root_id: Id('The root of its tree.'),
      status: OneOf(['active', 'suspended'], 'Own status; an agent above it may be suspended too.'),
      suspension: Nullable(SuspensionView),
      tier: OneOf(TIERS, 'Tier of its tree, which sets the requests allowed per minute.'),
      created_at: Time('Registration or spawn time.'),
      last_seen_at: Nullable(Time('Hour in which its keys were last used; null: never.')),
      keys: Type.Integer({ description: 'Number of working keys.' }),
      cash: Amount('Balance of its tree that can be spent and withdrawn.'),
      credit: Amount('Balance of its tree that can be spent, not withdrawn.'),
      in_escrow: Amount('Held in escrow from its tree.'),
      spent_today: Amount('Spending of it and those below it this UTC day.'),
    }),
  ),

  async handle({ db, config }, { agent_id, username, email, root_id, status, ...paging }) {
    const page = pageOf(paging);
    const mailbox = email === undefined ? undefined : parseAddress(email);
    const found = await rows(
      db,
      FOUND,
      `select ${namesOf(AGENT_COLUMNS, 'a')}, a.email, ${SUSPENSION}, k.keys,
              (select username from agent where id = a.owner_id) as owner_username, k.last_seen_at,
              case when d.day >= (now() at time zone 'UTC')::date then d.amount else 0 end
                as spent_today
         from agent a
         left join spend d on d.agent_id = a.id
        ${SUSPENSION_JOIN}
        cross join lateral (
          select count(*) filter (where ${KEY_WORKS})::int as keys,
                 max(k.last_used_at) as last_seen_at
            from api_key k where k.agent_id = a.id) k
        where a.id < $1::bigint
          and ($3::bigint is null or a.id = $3) and ($4::text is null or lower(a.username) = $4)
          and ($5::text is null or lower(a.email) = lower($5))
          and ($6::bigint is null or a.root_id = $6) and ($7::text is null or a.status = $7)
        order by a.id desc limit $2`,
      [
        page.before,
        page.limit + 1,
        agent_id,
        username?.toLowerCase(),
        email && (mailbox ? canonical(mailbox) : email),
        root_id,
        status,
      ],
    );
    const { page: agents, rest } = paged(found, page);
    const holdings = await findHoldings(
      db,
      agents.map(({ root_id: tree }) => tree),
    );
    return {
      agents: agents.map((agent) => viewOf(agent, holdings.get(agent.root_id)!, config.api.tiers)),
      ...rest,
    };
  },
});

const FOUND = {
  ...AGENT_COLUMNS,
  ...SUSPENSION_COLUMNS,
  email: nullable(column.text),
  owner_username: nullable(column.text),
  keys: column.int,
  last_seen_at: nullable(column.time),
  spent_today: column.micros,
};

const viewOf = (
  agent: Row<typeof FOUND>,
  { funds, escrows, inflow }: Holdings,
  levels: TierLevels,
) => ({
  agent_id: agent.id,
  username: agent.username,
  email: agent.email,
  owner_id: agent.owner_id,
  owner_username: agent.owner_username,
  root_id: agent.root_id,
  status: agent.status,
  suspension: suspensionOf(agent),
  tier: tierOf(levels, inflow),
  created_at: agent.created_at.toISOString(),
  last_seen_at: agent.last_seen_at?.toISOString() ?? null,
  keys: agent.keys,
  cash: toUsd(funds.cash),
  credit: toUsd(funds.credit),
  in_escrow: toUsd(sumOf(escrows)),
  spent_today: toUsd(agent.spent_today),
});
