import { hash } from 'node:crypto';

import { column, execute, jsonOf, nullable, rows, type Database } from '../platform/rows.ts';

/** What the authorization server keeps of one sign-in, as it says it. */
export type Payload = Readonly<Record<string, unknown>>;

export interface OAuthItem {
  readonly model: string;
  readonly id: string;
  readonly grantId?: string | undefined;
  readonly connectionId?: number | undefined;
  /** Of an access token: the key that it is. */
  readonly keyId?: number | undefined;
  readonly payload: Payload;
  readonly expiresAt: Date;
}

/** Only the digest of an id is kept: whoever reads the table can use nothing of it. */
const digestOf = (id: string): Buffer => hash('sha256', id, 'buffer');

/** Stands for the id in what is kept. */
const MARK = '<id of this item>';

/** Issued once: a repeat of the call that issued it changes nothing. */
const TOKENS = `('RefreshToken', 'AccessToken')`;

/** Inserts it, or says anew what it is. A token that is there stays as it is. */
export async function putItem(db: Database, item: OAuthItem): Promise<void> {
  await execute(
    db,
    `insert into oauth_item (model, id, grant_id, connection_id, key_id, payload, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (id) do update set payload = excluded.payload, expires_at = excluded.expires_at
       where oauth_item.model not in ${TOKENS}`,
    [
      item.model,
      digestOf(item.id),
      item.grantId ?? null,
      item.connectionId ?? null,
      item.keyId ?? null,
      JSON.stringify(item.payload).replaceAll(item.id, MARK),
      item.expiresAt,
    ],
  );
}

const FOUND = {
  connection_id: nullable(column.id),
  scopes: nullable(column.texts),
  payload: jsonOf<Payload>(),
  is_used: column.boolean,
};

/** An item, with what its connection may do now. */
export interface FoundItem {
  readonly payload: Payload;
  /** Of the connection that it belongs to. */
  readonly scopes: readonly string[] | undefined;
  /** It was used, longer ago than `graceSeconds`. */
  readonly isUsed: boolean;
}

/** Undefined: there is none, it has expired, or its connection was ended. */
export async function findItem(
  db: Database,
  { model, id, graceSeconds }: { model: string; id: string; graceSeconds: number },
): Promise<FoundItem | undefined> {
  const [found] = await rows(
    db,
    FOUND,
    `select i.connection_id, c.scopes, i.payload,
            coalesce(i.used_at < clock_timestamp() - $3 * interval '1 second', false) as is_used
       from oauth_item i left join connection c on c.id = i.connection_id
      where i.id = $2 and i.model = $1 and i.expires_at > now() and c.revoked_at is null`,
    [model, digestOf(id), graceSeconds],
  );
  if (!found) return undefined;
  const text = JSON.stringify(found.payload).replaceAll(MARK, id);
  return {
    payload: { ...(JSON.parse(text) as Payload), jti: id },
    scopes: found.scopes ?? undefined,
    isUsed: found.is_used,
  };
}

/** Marks it as used. False: it was used before, or is gone. Of several at once one gets true. */
export async function useItem(db: Database, id: string): Promise<boolean> {
  const changed = await execute(
    db,
    'update oauth_item set used_at = clock_timestamp() where id = $1 and used_at is null',
    [digestOf(id)],
  );
  return changed === 1;
}

const DERIVED = { derived_under: column.text };

/**
 * Marks a refresh token as used, and returns the id of the master key under which its successors
 * are derived: `keyId` at the first use, and the same at each repeat. Undefined: it is gone.
 */
export async function replaceItem(
  db: Database,
  { id, keyId }: { id: string; keyId: string },
): Promise<string | undefined> {
  const [replaced] = await rows(
    db,
    DERIVED,
    `update oauth_item set used_at = coalesce(used_at, clock_timestamp()),
                           derived_under = coalesce(derived_under, $2)
      where id = $1 returning derived_under`,
    [digestOf(id), keyId],
  );
  return replaced?.derived_under;
}

const REMOVED = { key_id: nullable(column.id) };

/** Deletes it, and ends the key that it is. */
export async function removeItem(db: Database, id: string): Promise<void> {
  const sql = 'delete from oauth_item where id = $1 returning key_id';
  await endKeys(db, await rows(db, REMOVED, sql, [digestOf(id)]));
}

/** Deletes what came of one sign-in, and ends its keys. */
export async function removeGrant(db: Database, grantId: string): Promise<void> {
  const sql = 'delete from oauth_item where grant_id = $1 or id = $2 returning key_id';
  await endKeys(db, await rows(db, REMOVED, sql, [grantId, digestOf(grantId)]));
}

async function endKeys(
  db: Database,
  removed: readonly { readonly key_id: number | null }[],
): Promise<void> {
  const ids = removed.flatMap(({ key_id: id }) => id ?? []);
  if (ids.length === 0) return;
  // Not now(): other processes look only so far back for what was revoked.
  await execute(
    db,
    `update api_key set revoked_at = clock_timestamp()
      where id = any ($1) and revoked_at is null`,
    [ids],
  );
}

/**
 * Whether this connection goes on. It does not end before this transaction, so what is put for it
 * is removed when it ends.
 */
export async function holdConnection(db: Database, id: number): Promise<boolean> {
  const sql = 'select id from connection where id = $1 and revoked_at is null for share';
  return (await rows(db, { id: column.id }, sql, [id])).length > 0;
}

/** The connection of a grant; undefined: there is no such grant. */
export async function connectionOfGrant(
  db: Database,
  grantId: string,
): Promise<number | undefined> {
  const sql = 'select connection_id from oauth_item where id = $1';
  const [found] = await rows(db, { connection_id: nullable(column.id) }, sql, [digestOf(grantId)]);
  return found?.connection_id ?? undefined;
}
