import type { Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Nullable, OneOf, Time, Type } from '../kernel/schema.ts';
import { column, execute, namesOf, row, rows } from '../platform/rows.ts';
import { KEY_COLUMNS, KEY_WORKS, SCOPES, type ApiKey } from './agents.ts';

/*
 * What the operations on an owner's keys share. None of them is a tool: a new key in a model's
 * context is a leaked key, and a model that is talked into revoking keys locks its owner out.
 */

/** A key as its owner sees it. */
export const KEY_FIELDS = {
  key_id: Id('Names the key when it is rotated or revoked.'),
  name: Type.String({ description: 'What its owner calls it.' }),
  prefix: Type.String({ description: 'How the key begins; enough to recognise it.' }),
  scopes: Type.Array(OneOf(SCOPES, 'A scope.'), {
    maxItems: SCOPES.length,
    description: 'What it allows.',
  }),
  created_at: Time('When it was made.'),
  revoked_at: Nullable(Time('When it was revoked; null: it was not.')),
  expires_at: Nullable(Time('Until when it works at most; null: until it is revoked.')),
  last_used_at: Nullable(Time('In which hour it was last used; null: never.')),
  connection_id: Nullable(Id('Of an app, whose token this is; null: it is none.')),
};

export const viewOf = (key: ApiKey) => ({
  key_id: key.id,
  name: key.name,
  prefix: `vnx_${key.public_id}`,
  scopes: key.scopes,
  created_at: key.created_at.toISOString(),
  revoked_at: key.revoked_at?.toISOString() ?? null,
  expires_at: key.expires_at?.toISOString() ?? null,
  last_used_at: key.last_used_at?.toISOString() ?? null,
  connection_id: key.connection_id,
});

/**
 * The keys that work of the caller, or of this agent below it. No owner changes them before this
 * transaction ends. Refuses a caller whose key was revoked a moment ago: this process may not know
 * it yet, and a leaked key must not use that moment to make itself a successor.
 */
export async function lockLiveKeys(
  { db, caller }: Tx,
  agentId: number = caller.agentId,
): Promise<ApiKey[]> {
  await execute(db, 'select from agent where id = $1 for no key update', [caller.agentId]);
  // A statement of its own: the one that waits for the lock sees what was before the wait.
  const live = await liveKeysOf(db, caller.agentId);
  if (caller.sessionId !== undefined) await holdSession(db, caller.sessionId);
  else {
    // A payment is used for one call, and cannot be revoked.
    const isProven = caller.payer !== undefined || live.some(({ id }) => id === caller.keyId);
    if (!isProven) throw invalidKey();
  }
  if (agentId === caller.agentId) return live;
  // Only its root, which is locked, changes the keys of an agent below, except that those of an
  // app end with what it may do. A key that is made meanwhile must not outlive that end.
  await execute(
    db,
    `select from connection c join agent a on c.agent_id = any (a.lineage)
      where a.id = $1 for share of c`,
    [agentId],
  );
  return liveKeysOf(db, agentId);
}

const liveKeysOf = (db: Tx['db'], agentId: number): Promise<ApiKey[]> =>
  rows(
    db,
    KEY_COLUMNS,
    `select ${namesOf(KEY_COLUMNS)} from api_key k where agent_id = $1 and ${KEY_WORKS}`,
    [agentId],
  );

/** Refuses a call by a key that ended a moment ago. The key cannot end before this transaction. */
export async function holdLiveKey({ db, caller }: Tx): Promise<void> {
  if (caller.sessionId !== undefined) return holdSession(db, caller.sessionId);
  const sql = `select k.id from api_key k where k.id = $1 and ${KEY_WORKS} for share`;
  if ((await rows(db, { id: column.id }, sql, [caller.keyId])).length === 0) throw invalidKey();
}

/** The same of a web session, which ends when its row is deleted. */
async function holdSession(db: Tx['db'], sessionId: number): Promise<void> {
  const sql = 'select id from web_session where id = $1 and ends_at > now() for share';
  if ((await rows(db, { id: column.id }, sql, [sessionId])).length > 0) return;
  throw new Refusal('authentication_required', 'Sign in: this session is over.');
}

export const invalidKey = () =>
  new Refusal('invalid_key', 'This API key is unknown, has expired or was revoked.');

/**
 * A key of the caller or of an agent below it, working or not, and the keys of the same agent that
 * work. No owner changes them before this transaction ends. Refuses the tokens of apps, which would
 * renew them, or lose them unnoticed.
 */
export async function lockKey(tx: Tx, keyId: number): Promise<{ key: ApiKey; live: ApiKey[] }> {
  const { agent_id: agentId } = await findKey(tx, keyId);
  const live = await lockLiveKeys(tx, agentId);
  // As it is after the wait for the lock.
  const key = await findKey(tx, keyId);
  if (key.connection_id !== null) {
    throw new Refusal(
      'forbidden',
      'This is the token of an app, which renews it. End the app by revoke_connection.',
    );
  }
  return { key, live };
}

async function findKey({ db, caller }: Tx, keyId: number): Promise<ApiKey> {
  const [key] = await rows(
    db,
    KEY_COLUMNS,
    `select ${namesOf(KEY_COLUMNS)} from api_key where id = $1
        and exists (select from agent a
                     where a.id = api_key.agent_id and $2::bigint = any (a.lineage))`,
    [keyId, caller.agentId],
  );
  if (!key) throw new Refusal('not_found', 'There is no such key among those of your agents.');
  return key;
}

export async function revoke({ db }: Tx, key: ApiKey): Promise<ApiKey> {
  // Not now(), which is when the transaction began, perhaps long before it got the lock: other
  // processes look only so far back for what was revoked.
  return row(
    db,
    KEY_COLUMNS,
    `update api_key set revoked_at = clock_timestamp() where id = $1
     returning ${namesOf(KEY_COLUMNS)}`,
    [key.id],
  );
}
