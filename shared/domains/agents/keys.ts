import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { EntityManager } from 'typeorm';

import type { Config } from '../../composition/config.ts';
import { namesOf, row } from '../../platform/rows.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { Nullable, Output, Type, type Static } from '../../kernel/schema.ts';
import { KEY_COLUMNS, type ApiKey } from './agents.ts';
import type { Scope } from '../../kernel/caller.ts';
import type { Tx } from '../../kernel/tx.ts';

/**
 * A key is `vnx_<public id>_<secret><checksum>`: 8 characters that may be shown, 256 random bits in
 * base64url, and the CRC-32 of all before it in hex. The checksum lets garbage be refused
 * without asking the database, and scanners recognise a leaked key. In a sandbox the public id
 * begins with `test_`, so that nobody takes a key of play money for one of real money.
 */
const SHAPE = /^vnx_((?:test_)?[0-9A-Za-z]{8})_[\w-]{43}([0-9a-f]{8})$/;
const TEST = 'test_';
const PURPOSE = 'api-key';
const [START, LENGTH] = [4, 8];

/** A new key in an answer. */
export const NewKey = Output('NewKey', {
  key: Nullable(
    Type.String({ description: 'Starts with vnx_. Null in a repeat: shown only once.' }),
  ),
  warning: Type.String({ description: 'Advice on storing it.' }),
});

export const shown = (key: string) => ({
  key,
  warning:
    'Store this key now: it is shown once and cannot be recovered. Send it with every call: ' +
    'Authorization: Bearer <key>. An MCP client takes it from its configuration: add that header ' +
    'there, or ask your user to, and connect again.',
});

/** The answer as it may be stored for repeats of the call: without the key. */
export const withoutKey = <R extends { api_key: Static<typeof NewKey> }>(result: R): R => ({
  ...result,
  api_key: { key: null, warning: 'The key was shown in the first answer and is not stored.' },
});

/** Where the public id of a key would be in a token of any shape. */
export const publicPartOf = (token: string): string =>
  token.slice(START, START + LENGTH + (isOfSandbox(token) ? TEST.length : 0));

/** Whether a token is the key of a sandbox, by its start. */
export const isOfSandbox = (token: string): boolean => token.startsWith(TEST, START);

/** The public id in a token that has the shape of a key. */
export function publicIdOf(token: string): string | undefined {
  const match = SHAPE.exec(token);
  return match && checksum(token.slice(0, -8)) === match[2] ? match[1] : undefined;
}

interface KeyDraft {
  readonly agentId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Expiry; absent or null: the key works until it is revoked. */
  readonly expiresAt?: Date | null;
  /** The connection of an app, if this is its access token. */
  readonly connectionId?: number | null;
}

type Deployment = Pick<Config, 'sandbox'>;

/** The text of a new key, which works once it is inserted. */
export const newKey = (config: Deployment): string =>
  keyOf(config, base62(LENGTH), randomBytes(32));

/** The text of a key that is the same for the same two hashes of 256 bits. */
export const derivedKey = (config: Deployment, id: Buffer, secret: Buffer): string =>
  keyOf(config, lettersOf(id, LENGTH), secret);

function keyOf({ sandbox }: Deployment, letters: string, secret: Buffer): string {
  const start = `vnx_${sandbox ? TEST : ''}${letters}_${secret.toString('base64url')}`;
  return start + checksum(start);
}

/** Inserts a new key of this agent. Only the returned value holds the full key. */
export async function makeKey(
  { db, secrets, config }: Pick<Tx, 'db' | 'secrets' | 'config'>,
  draft: KeyDraft,
): Promise<{ key: string; row: ApiKey }> {
  const key = newKey(config);
  return { key, row: await insertKey(db, secrets, key, draft) };
}

/** Inserts this key of an agent: its hash and its public id. */
export async function insertKey(
  db: EntityManager,
  secrets: Secrets,
  key: string,
  { agentId, name, scopes, expiresAt = null, connectionId = null }: KeyDraft,
): Promise<ApiKey> {
  const { keyId, hash } = secrets.hash(PURPOSE, key);
  return row(
    db,
    KEY_COLUMNS,
    `insert into api_key (public_id, agent_id, root_id, name, scopes, hash, pepper_id, expires_at,
                          connection_id)
     values ($1, $2, (select root_id from agent where id = $2), $3, $4, $5, $6, $7, $8)
     returning ${namesOf(KEY_COLUMNS)}`,
    [publicIdOf(key), agentId, name, scopes, hash, keyId, expiresAt, connectionId],
  );
}

/** The hash under which this key would be stored, under the current pepper or the given one. */
export const hashOfKey = (secrets: Secrets, token: string, pepperId?: string) =>
  secrets.hash(PURPOSE, token, pepperId);

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(length: number): string {
  let text = '';
  while (text.length < length) text += lettersOf(randomBytes(length), length - text.length);
  return text;
}

/** At most `length` letters: 248 = 4 × 62, so bytes below 248 give all letters equal odds. */
function lettersOf(bytes: Buffer, length: number): string {
  const even = Array.from(bytes).filter((byte) => byte < 248);
  return even
    .slice(0, length)
    .map((byte) => LETTERS[byte % 62])
    .join('');
}

const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0');
