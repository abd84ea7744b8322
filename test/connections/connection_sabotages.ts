import type { Sabotage } from '../kernel/sabotage.ts';

const TOKENS =
  'each working token of an app allows what its connection does, as an agent of its owner';
const KEPT = 'nothing is kept of the sign-ins of a connection that was ended';

/** A token of the connection that may read, as its agent. */
const token = (scopes: string, agent: string, expires = `now() + interval '7 days'`) => `
  insert into api_key (public_id, agent_id, root_id, name, scopes, hash, pepper_id, expires_at,
                       connection_id)
  select 'sabotage', ${agent}, c.root_id, 'x', '{${scopes}}', decode(repeat('00', 32), 'hex'),
         'none', ${expires}, c.id
    from connection c where c.id = :connection;`;

/** Statements that make untrue that apps may do what their owners allowed. */
export const CONNECTION_SABOTAGES: readonly Sabotage[] = [
  { proof: TOKENS, what: 'one allows more', sql: token('read,buy', 'c.agent_id') },
  { proof: TOKENS, what: 'one allows something else', sql: token('buy', 'c.agent_id') },
  { proof: TOKENS, what: 'one is a key of the owner', sql: token('read', 'c.owner_id') },
  { proof: TOKENS, what: 'one never expires', sql: token('read', 'c.agent_id', 'null') },
  {
    proof: TOKENS,
    what: 'one outlives its connection',
    sql: `${token('read', 'c.agent_id')}
          update connection set revoked_at = now() where id = :connection`,
  },
  {
    proof: KEPT,
    what: 'a refresh token',
    sql: `insert into oauth_item (id, model, connection_id, payload, expires_at)
          values (decode(repeat('00', 32), 'hex'), 'RefreshToken', :connection, '{}', now());
          update connection set revoked_at = now() where id = :connection`,
  },
];
