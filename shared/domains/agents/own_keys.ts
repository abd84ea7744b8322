import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { field, view } from '../../kernel/view.ts';
import { column, execute, namesOf, row, rows } from '../../platform/rows.ts';
import { KEY_COLUMNS, KEY_WORKS, type ApiKey } from './agents.ts';
import { Scopes } from '../../kernel/terms/scopes.ts';

/*
 * Shared by the operations on an owner's keys. None of them is a tool: a new key in a model's
 * context is a leaked key, and a model that is talked into revoking keys locks its owner out.
 */

/** A key as its owner sees it. */
export const KeyView = view('Key', {
  key_id: field.id('Id for rotate_key and revoke_key.'),
  name: field.text('Name given by its owner.'),
  prefix: field.text('Start of the key, enough to recognise it.'),
  scopes: field.asIs(Scopes('Scopes of the key.'), KEY_COLUMNS.scopes),
  created_at: field.time('Creation time.'),
  revoked_at: field.orNull(field.time('Revocation time; null: not revoked.')),
  expires_at: field.orNull(field.time('Expiry time; null: works until revoked.')),
  last_used_at: field.orNull(field.time('Hour of its last use; null: never.')),
  connection_id: field.orNull(field.id('Connection of the app whose token this is; null: no app.')),
});

export const viewOf = (key: ApiKey) =>
  KeyView.show({ ...key, key_id: key.id, prefix: `vnx_${key.public_id}` });

/**
 * The working keys of the caller, or of this agent below it. No owner changes them before this
 * transaction ends. Refuses a caller whose key was revoked a moment ago: this process may not know
 * it yet, and a leaked key must not use that moment to create its successor.
 */
export async function lockLiveKeys(
  { db, caller }: Tx,
  agentId: number = caller.agentId,
): Promise<ApiKey[]> {
  await execute(db, 'select from agent where id = $1 for no key update', [caller.agentId]);
  // A separate statement: the one that waits for the lock sees the state before the wait.
  const live = await liveKeysOf(db, caller.agentId);
  if (caller.sessionId !== undefined) await holdSession(db, caller.sessionId);
  else {
    // An x402 payment proves one call only, and cannot be revoked.
    const isProven = caller.payer !== undefined || live.some(({ id }) => id === caller.keyId);
    if (!isProven) throw invalidKey();
  }
  if (agentId === caller.agentId) return live;
  // Keys of an agent below are changed by its root only, which is locked; but those of an app end
  // with its connection. A key created meanwhile must not outlive that end.
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

/** Refuses a call by a key that has just ended. Keeps the key alive until this transaction ends. */
export async function holdLiveKey({ db, caller }: Tx): Promise<void> {
  if (caller.sessionId !== undefined) return holdSession(db, caller.sessionId);
  const sql = `select k.id from api_key k where k.id = $1 and ${KEY_WORKS} for share`;
  if ((await rows(db, { id: column.id }, sql, [caller.keyId])).length === 0) throw invalidKey();
}

/** Does the same for a web session, which ends when its row is deleted. */
async function holdSession(db: Tx['db'], sessionId: number): Promise<void> {
  const sql = 'select id from web_session where id = $1 and ends_at > now() for share';
  if ((await rows(db, { id: column.id }, sql, [sessionId])).length > 0) return;
  throw new Refusal('authentication_required', 'This session has ended: sign in again.');
}

export const invalidKey = () =>
  new Refusal('invalid_key', 'This API key is unknown, has expired or was revoked.');

/**
 * A key of the caller or of an agent below it, working or not, and the working keys of the same
 * agent. No owner changes them before this transaction ends. Refuses the tokens of apps: an app
 * would renew them, or lose them unnoticed.
 */
export async function lockKey(tx: Tx, keyId: number): Promise<{ key: ApiKey; live: ApiKey[] }> {
  const { agent_id: agentId } = await findKey(tx, keyId);
  const live = await lockLiveKeys(tx, agentId);
  // Read again: the wait for the lock may have changed it.
  const key = await findKey(tx, keyId);
  if (key.connection_id !== null) {
    throw new Refusal(
      'forbidden',
      'This key is the token of an app, which renews it. End the app by revoke_connection.',
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
  if (!key)
    throw new Refusal(
      'not_found',
      'Your agents have no key with this key_id. Find it with list_keys.',
    );
  return key;
}

export async function revoke({ db }: Tx, key: ApiKey): Promise<ApiKey> {
  // Not now(), the start of the transaction, which may be long before it got the lock: other
  // processes look only 30 s back for revocations.
  return row(
    db,
    KEY_COLUMNS,
    `update api_key set revoked_at = clock_timestamp() where id = $1
     returning ${namesOf(KEY_COLUMNS)}`,
    [key.id],
  );
}
