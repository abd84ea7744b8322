import type { Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Nullable, OneOf, Time, Type } from '../kernel/schema.ts';
import { execute, namesOf, row, rows } from '../platform/rows.ts';
import { KEY_COLUMNS, SCOPES, type ApiKey } from './agents.ts';

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
  revoked_at: Nullable(Time('When it stopped working; null: it works.')),
};

export const viewOf = ({ id, public_id, name, scopes, created_at, revoked_at }: ApiKey) => ({
  key_id: id,
  name,
  prefix: `vnx_${public_id}`,
  scopes,
  created_at: created_at.toISOString(),
  revoked_at: revoked_at?.toISOString() ?? null,
});

/**
 * The caller's keys that work, which nobody else changes before this transaction ends. Refuses a
 * key that was revoked a moment ago: this process may not know it yet, and a leaked key must not
 * use that moment to make itself a successor.
 */
export async function lockLiveKeys({ db, caller }: Tx): Promise<ApiKey[]> {
  await execute(db, 'select from agent where id = $1 for no key update', [caller.agentId]);
  // A statement of its own: the one that waits for the lock sees what was before the wait.
  const live = await rows(
    db,
    KEY_COLUMNS,
    `select ${namesOf(KEY_COLUMNS)} from api_key where agent_id = $1 and revoked_at is null`,
    [caller.agentId],
  );
  if (!live.some(({ id }) => id === caller.keyId)) {
    throw new Refusal('invalid_key', 'This API key is unknown or was revoked.');
  }
  return live;
}

/** One of the caller's keys, working or not. */
export async function findKey({ db, caller }: Tx, keyId: number): Promise<ApiKey> {
  const [key] = await rows(
    db,
    KEY_COLUMNS,
    `select ${namesOf(KEY_COLUMNS)} from api_key where id = $1 and agent_id = $2`,
    [keyId, caller.agentId],
  );
  if (!key) throw new Refusal('not_found', 'There is no such key among yours.');
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
