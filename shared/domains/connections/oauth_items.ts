import { hash } from 'node:crypto';

import { column, execute, jsonOf, nullable, rows, type Database } from '../../platform/rows.ts';

/** An item that the authorization server stores, in its own format. */
type Payload = Readonly<Record<string, unknown>>;

interface OAuthItem {
  readonly model: string;
  readonly id: string;
  readonly grantId?: string | undefined;
  readonly connectionId?: number | undefined;
  /** Id of the key, if the item is an access token. */
  readonly keyId?: number | undefined;
  readonly payload: Payload;
  readonly expiresAt: Date;
}

/** Only digests of ids are stored, so nobody who reads the table can use its items. */
const digestOf = (id: string): Buffer => hash('sha256', id, 'buffer');

/** Placeholder for the id in a stored payload. */
const MARK = '<id of this item>';

/** Item kinds issued once: a repeat of the call that issued one changes nothing. */
const TOKENS = `('RefreshToken', 'AccessToken')`;

/** Inserts or updates an item. An existing token is not changed. */
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
  is_used_long_ago: column.boolean,
};

/** An item, with the present scopes of its connection. */
export interface StoredItem {
  readonly payload: Payload;
  /** Scopes of the connection that it belongs to. */
  readonly scopes: readonly string[] | undefined;
  readonly isUsed: boolean;
  /** Whether it was used longer ago than `graceSeconds`. */
  readonly isUsedLongAgo: boolean;
}

/** Finds an item; undefined: none, expired, or its connection was ended. */
export async function findItem(
  db: Database,
  { model, id, graceSeconds }: { model: string; id: string; graceSeconds: number },
): Promise<StoredItem | undefined> {
  const [found] = await rows(
    db,
    FOUND,
    `select i.connection_id, c.scopes, i.payload, i.used_at is not null as is_used,
            coalesce(i.used_at < clock_timestamp() - $3 * interval '1 second', false)
              as is_used_long_ago
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
    isUsedLongAgo: found.is_used_long_ago,
  };
}

const DERIVED = { derived_under: column.text };

/**
 * Marks a code or a refresh token as used, and returns the id of the master key from which its
 * successors are derived: `keyId` at the first use, and the same at each repeat. Undefined: it is
 * gone.
 */
export async function replaceItem(
  db: Database,
  { id, keyId }: { id: string; keyId: string },
): Promise<string | undefined> {
  const [replaced] = await rows(
    db,
    DERIVED,
    // Kept for a day: a code that comes again after its minute still shows that it was stolen.
    `update oauth_item set used_at = coalesce(used_at, clock_timestamp()),
                           derived_under = coalesce(derived_under, $2),
                           expires_at = greatest(expires_at, now() + interval '1 day')
      where id = $1 returning derived_under`,
    [digestOf(id), keyId],
  );
  return replaced?.derived_under;
}

const REMOVED = { key_id: nullable(column.id) };

/** Deletes an item, and ends its key. */
export async function removeItem(db: Database, id: string): Promise<void> {
  const sql = 'delete from oauth_item where id = $1 returning key_id';
  await endKeys(db, await rows(db, REMOVED, sql, [digestOf(id)]));
}

/** Deletes the items of one sign-in, and ends its keys. */
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
  // Not now(), which may be old: other processes look only 30 s back for revocations.
  await execute(
    db,
    `update api_key set revoked_at = clock_timestamp()
      where id = any ($1) and revoked_at is null`,
    [ids],
  );
}

/** Locks this connection, so that nothing is issued for it meanwhile. */
export async function lockConnection(db: Database, id: number): Promise<void> {
  await execute(db, 'select from connection where id = $1 for update', [id]);
}

/**
 * Whether this connection is active. It cannot end before this transaction does, so items put for
 * it now are removed at its end.
 */
export async function holdConnection(db: Database, id: number): Promise<boolean> {
  const sql = 'select id from connection where id = $1 and revoked_at is null for share';
  return (await rows(db, { id: column.id }, sql, [id])).length > 0;
}

/**
 * The connection of a grant, or of what came of one that is gone by now: oidc-provider deletes the
 * grant while it has its tokens ended. Undefined: nothing of it is left.
 */
export async function connectionEndedBy(
  db: Database,
  grantId: string,
): Promise<number | undefined> {
  const sql = `select connection_id from oauth_item
                where (id = $1 or grant_id = $2) and connection_id is not null limit 1`;
  const columns = { connection_id: column.id };
  const [found] = await rows(db, columns, sql, [digestOf(grantId), grantId]);
  return found?.connection_id;
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
