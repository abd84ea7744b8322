import type { Sabotage } from '../../kernel/sabotage.ts';

const CLOSED = 'nobody acts for an account that was closed, and nothing of it is on sale';

const close = 'update agent set closed_at = now() where id = :idle;';
/** SQL: closes the account of the scene that has nothing open, as closing it does. */
const closeWhole = `${close}
  update api_key set revoked_at = now()
   where agent_id in (select id from agent where root_id = :idle) and revoked_at is null;
  update connection set revoked_at = now() where root_id = :idle and revoked_at is null;`;

/** Statements that make untrue that an account that was closed is closed. */
export const CLOSING_SABOTAGES: readonly Sabotage[] = [
  { proof: CLOSED, what: 'its keys and apps are left', sql: close },
  {
    proof: CLOSED,
    what: 'it has a passkey',
    sql: `${closeWhole}
      insert into passkey (agent_id, credential_id, public_key, counter, transports, name)
      values (:idle, 'left', '', 0, '{}', 'left')`,
  },
  {
    proof: CLOSED,
    what: 'it has an address',
    sql: `${closeWhole}
      insert into proven_address (agent_id, address) values (:idle, 'left@example.com')`,
  },
];
