import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Amount, Id, Nullable, OneOf, Output, Time, Type } from '../../kernel/schema.ts';
import { SCOPES, type Scope } from '../../kernel/caller.ts';
import { toUsd } from '../../kernel/money.ts';
import { column, nullable, rows, someOf, type Row } from '../../platform/rows.ts';

/** An app that an owner allowed to act for it, and the child agent that the app acts as. */
export const CONNECTION_COLUMNS = {
  id: column.id,
  owner_id: column.id,
  agent_id: column.id,
  root_id: column.id,
  name: column.text,
  host: column.text,
  is_proven: column.boolean,
  scopes: someOf<Scope>(),
  created_at: column.time,
  allowed_at: column.time,
  revoked_at: nullable(column.time),
  daily_spend_limit: nullable(column.micros),
  spent_today: column.micros,
  last_used_at: nullable(column.time),
};
type Connection = Row<typeof CONNECTION_COLUMNS>;

/** Newest tokens read for the last use: a connection renews its tokens for months. */
const NEWEST_TOKENS = 50;

/** SQL: these columns of the connections `c` that meet `condition`. */
export const connectionsWhere = (condition: string): string => `
  select c.id, c.owner_id, c.agent_id, c.root_id, c.name, c.host, c.is_proven, c.scopes,
         c.created_at, c.allowed_at, c.revoked_at, p.daily_spend_limit,
         case when s.day >= (now() at time zone 'UTC')::date then s.amount else 0 end
           as spent_today,
         (select max(k.last_used_at) from (
            select last_used_at from api_key where connection_id = c.id
             order by id desc limit ${NEWEST_TOKENS}) k) as last_used_at
    from connection c
    join spend s on s.agent_id = c.agent_id
    left join policy p on p.agent_id = c.agent_id
   where ${condition}`;

const ConnectionFields = {
  connection_id: Id('The connection.'),
  agent_id: Id('The agent below you that the app acts as.'),
  app: Type.String({ description: 'Name that the app gives itself.' }),
  host: Type.String({ description: 'Host your browser was sent back to.' }),
  is_proven: Type.Boolean({
    description: 'Whether a document at its own address proves its name.',
  }),
  scopes: Type.Array(OneOf(SCOPES, 'A scope.'), {
    maxItems: SCOPES.length,
    description: 'Scopes of the app.',
  }),
  daily_spend_limit: Nullable(Amount('Maximum spend per UTC day; null: no own limit.')),
  spent_today: Amount('Spending this UTC day.'),
  status: OneOf(['active', 'revoked'], 'A revoked app can ask you again.'),
  created_at: Time('Time you first allowed it.'),
  allowed_at: Time('Time you last allowed it.'),
  last_used_at: Nullable(Time('Hour of its last call; null: never.')),
  revoked_at: Nullable(Time('Time it was ended; null: active.')),
};

export const ConnectionView = Output('Connection', ConnectionFields);

export const viewOf = (connection: Connection) => ({
  connection_id: connection.id,
  agent_id: connection.agent_id,
  app: connection.name,
  host: connection.host,
  is_proven: connection.is_proven,
  scopes: SCOPES.filter((scope) => connection.scopes.includes(scope)),
  daily_spend_limit:
    connection.daily_spend_limit === null ? null : toUsd(connection.daily_spend_limit),
  spent_today: toUsd(connection.spent_today),
  status: connection.revoked_at ? ('revoked' as const) : ('active' as const),
  created_at: connection.created_at.toISOString(),
  allowed_at: connection.allowed_at.toISOString(),
  last_used_at: connection.last_used_at?.toISOString() ?? null,
  revoked_at: connection.revoked_at?.toISOString() ?? null,
});

/** A connection of the caller; those of others do not exist for it. */
export async function connectionOf({ db, caller }: Tx, id: number): Promise<Connection> {
  const sql = connectionsWhere('c.id = $1 and c.owner_id = $2');
  const [found] = await rows(db, CONNECTION_COLUMNS, sql, [id, caller.agentId]);
  if (!found) throw new Refusal('not_found', 'You have no connection with this connection_id.');
  return found;
}
