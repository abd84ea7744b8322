import type { Scope } from '../../kernel/caller.ts';
import { insertKey, publicIdOf } from '../agents/keys.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { column, execute, rows, someOf } from '../../platform/rows.ts';

/** Maximum tokens of a connection in an hour, and working at once. Each refresh issues one. */
const ISSUED_AN_HOUR_MAX = 120;
const WORKING_MAX = 20;

const LIVE = {
  agent_id: column.id,
  name: column.text,
  scopes: someOf<Scope>(),
  issued: column.int,
};

/**
 * Inserts an access token of an app as a key of its agent, and returns the id of the key. It gets
 * the scopes of the connection, whatever the app asked for. The oldest token ends when there are
 * too many. Undefined: the connection was ended. Null: this token was issued before, and is not
 * changed.
 */
export async function issueToken(
  { db, secrets }: Tx,
  { connectionId, token, expiresAt }: { connectionId: number; token: string; expiresAt: Date },
): Promise<number | null | undefined> {
  // Locked: an operation that ends the connection waits, and then ends this key too.
  const [live] = await rows(
    db,
    LIVE,
    `select agent_id, name, scopes,
            (select count(*)::int from (
               select created_at from api_key k
                where k.connection_id = c.id order by k.id desc
                limit ${ISSUED_AN_HOUR_MAX}) newest
              where created_at > now() - interval '1 hour') as issued
       from connection c where id = $1 and revoked_at is null for update`,
    [connectionId],
  );
  if (!live) return undefined;
  const same = 'select id from api_key where public_id = $1 and connection_id = $2';
  const issued = await rows(db, { id: column.id }, same, [publicIdOf(token), connectionId]);
  if (issued.length > 0) return null;
  if (live.issued >= ISSUED_AN_HOUR_MAX) {
    throw new Refusal(
      'rate_limited',
      'This app requested too many tokens within an hour. Retry later.',
    );
  }
  const { id } = await insertKey(db, secrets, token, {
    agentId: live.agent_id,
    name: Array.from(live.name).slice(0, 64).join(''),
    scopes: live.scopes,
    expiresAt,
    connectionId,
  });
  await execute(
    db,
    `update api_key set revoked_at = clock_timestamp() where id in (
       select id from api_key where connection_id = $1 and revoked_at is null
        order by id desc offset ${WORKING_MAX})`,
    [connectionId],
  );
  return id;
}
