import type { Proof } from '../ledger/proof.ts';

/** Proofs that apps have exactly the scopes that their owners allowed, at every commit. */
export const connectionsProofs: readonly Proof[] = [
  {
    name: 'each working token of an app allows what its connection does, as an agent of its owner',
    sql: `select k.id as key, c.id as connection
            from api_key k join connection c on c.id = k.connection_id
            join agent a on a.id = c.agent_id
           where k.revoked_at is null
             and (c.revoked_at is not null or k.expires_at is null or k.agent_id <> c.agent_id
                  or not (k.scopes <@ c.scopes and c.scopes <@ k.scopes)
                  or a.owner_id is distinct from c.owner_id)`,
  },
  {
    name: 'nothing is kept of the sign-ins of a connection that was ended',
    sql: `select i.model, c.id as connection
            from oauth_item i join connection c on c.id = i.connection_id
           where c.revoked_at is not null`,
  },
];
