import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { scopesField } from '../../kernel/terms/scopes.ts';
import { field, view } from '../../kernel/view.ts';
import { rows } from '../../platform/rows.ts';

/** An app that an owner allowed to act for it, and the child agent that the app acts as. */
export const Connection = view('Connection', {
  connection_id: field.id('The connection.'),
  agent_id: field.id('The agent below you that the app acts as.'),
  app: field.text('Name that the app gives itself.'),
  host: field.text('Host your browser was sent back to.'),
  is_proven: field.flag('Whether a document at its own address proves its name.'),
  scopes: scopesField('Scopes of the app.'),
  daily_spend_limit: field.orNull(field.amount('Maximum spend per UTC day; null: no own limit.')),
  spent_today: field.amount('Spending this UTC day.'),
  status: field.oneOf(['active', 'revoked'], 'A revoked app can ask you again.'),
  created_at: field.time('Time you first allowed it.'),
  allowed_at: field.time('Time you last allowed it.'),
  last_used_at: field.orNull(field.time('Hour of its last call; null: never.')),
  revoked_at: field.orNull(field.time('Time it was ended; null: active.')),
});

/** Newest tokens read for the last use: a connection renews its tokens for months. */
const NEWEST_TOKENS = 50;

/** SQL: these columns of the connections `c` that meet `condition`. */
export const connectionsWhere = (condition: string): string => `
  select c.id as connection_id, c.agent_id, c.name as app, c.host, c.is_proven, c.scopes,
         case when c.revoked_at is null then 'active' else 'revoked' end as status,
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

/** A connection of the caller; those of others do not exist for it. */
export async function connectionOf({ db, caller }: Tx, id: number) {
  const sql = connectionsWhere('c.id = $1 and c.owner_id = $2');
  const [found] = await rows(db, Connection.columns, sql, [id, caller.agentId]);
  if (!found) throw new Refusal('not_found', 'You have no connection with this connection_id.');
  return found;
}
