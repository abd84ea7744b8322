import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

import type { MasterKey } from './config/setting_values.ts';

/**
 * Secrets at rest: AES-256-GCM with one data key per record, wrapped by a master key (NIST SP
 * 800-38D, envelope encryption). The location is additional data, so that a sealed value that was
 * moved to another row, column or owner does not open.
 *
 * Layout: version 1 | length of the key id | key id | nonce 12 | tag 16 | wrapped data key 32 |
 * nonce 12 | tag 16 | ciphertext.
 */
export interface Secrets {
  /** The id of the first master key, which seals and hashes. */
  readonly currentKeyId: string;
  /** The ids of the other master keys, which open older values. */
  readonly olderKeyIds: readonly string[];
  /** Whether the master key of this id is listed. */
  knows(keyId: string): boolean;
  /** Seals a text under the current master key, or the one that `keyId` names. */
  seal(text: string, location: SecretLocation, keyId?: string): Buffer;
  /** Opens a value. Throws if the value, its location or its key differs from the sealing. */
  open(sealed: Buffer, location: SecretLocation): string;
  /** A keyed hash under the current master key, or the one that `keyId` names. */
  hash(purpose: string, text: string, keyId?: string): { keyId: string; hash: Buffer };
  /** Keyed hashes under all listed master keys. */
  hashes(purpose: string, text: string): Buffer[];
  /** Whether `hash` is that of `text` under any listed master key. */
  isHashOf(hash: Buffer, purpose: string, text: string): boolean;
}

/** The row and column of a secret, and the id of its owner. */
export interface SecretLocation {
  readonly table: string;
  readonly column: string;
  readonly row: string | number;
  readonly owner: number;
}

/**
 * A column of sealed values, for `npm run reseal`. It stands beside the function that makes their
 * SecretLocation, and describes the same location in SQL, where `s` is the row.
 */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** SQL: `row` of the location. */
  readonly row: string;
  /** SQL: `owner` of the location. */
  readonly owner: string;
  /** SQL: a join that the expressions need besides `s`. */
  readonly join?: string;
  /** Purpose of the hash of the same text in the columns hash and pepper_id. */
  readonly hashedFor?: string;
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export function openSecrets(masterKeys: readonly MasterKey[]): Secrets {
  const current = masterKeys[0]!;
  // Each purpose has its own key, so that a leaked key reveals no other.
  const derived = new Map<string, Buffer>();
  const derive = (keyId: string, purpose: string): Buffer => {
    const name = `${keyId}|${purpose}`;
    let key = derived.get(name);
    if (!key) {
      const master = masterKeys.find(({ id }) => id === keyId);
      if (!master) throw new Error(`MASTER_KEYS lacks the key ${keyId}, under which this was made`);
      key = Buffer.from(hkdfSync('sha256', master.key, '', purpose, KEY_BYTES));
      derived.set(name, key);
    }
    return key;
  };

  const hashUnder = (keyId: string, purpose: string, text: string) =>
    createHmac('sha256', derive(keyId, purpose)).update(text).digest();

  return {
    currentKeyId: current.id,
    olderKeyIds: masterKeys.slice(1).map(({ id }) => id),
    knows: (keyId) => masterKeys.some(({ id }) => id === keyId),
    seal(text, location, keyId = current.id) {
      const dataKey = randomBytes(KEY_BYTES);
      const id = Buffer.from(keyId);
      const wrapped = encrypt(derive(keyId, 'wrap'), dataKey, aadOf(location));
      const sealed = encrypt(dataKey, Buffer.from(text), aadOf(location));
      return Buffer.concat([Buffer.from([VERSION, id.length]), id, ...wrapped, ...sealed]);
    },
    open(sealed, location) {
      if (sealed[0] !== VERSION) throw new Error('sealed by a version this process does not know');
      let at = 2 + sealed[1]!;
      const id = sealed.toString('utf8', 2, at);
      const take = (bytes: number) => sealed.subarray(at, (at += bytes));
      const wrap = { nonce: take(NONCE_BYTES), tag: take(TAG_BYTES), text: take(KEY_BYTES) };
      const dataKey = decrypt(derive(id, 'wrap'), wrap, aadOf(location));
      const inner = { nonce: take(NONCE_BYTES), tag: take(TAG_BYTES), text: sealed.subarray(at) };
      return decrypt(dataKey, inner, aadOf(location)).toString('utf8');
    },
    hash: (purpose, text, keyId = current.id) => ({
      keyId,
      hash: hashUnder(keyId, purpose, text),
    }),
    hashes: (purpose, text) => masterKeys.map(({ id }) => hashUnder(id, purpose, text)),
    isHashOf: (hash, purpose, text) =>
      masterKeys.some(({ id }) => hashUnder(id, purpose, text).equals(hash)),
  };
}

const aadOf = ({ table, column, row, owner }: SecretLocation) =>
  Buffer.from([table, column, row, owner].join('|'));

function encrypt(key: Buffer, text: Buffer, aad: Buffer): Buffer[] {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad);
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()]);
  return [nonce, cipher.getAuthTag(), encrypted];
}

interface Encrypted {
  nonce: Buffer;
  tag: Buffer;
  text: Buffer;
}

function decrypt(key: Buffer, { nonce, tag, text }: Encrypted, aad: Buffer): Buffer {
  const options = { authTagLength: TAG_BYTES }; // Without it, a shorter tag would be accepted.
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, options).setAAD(aad);
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(text), decipher.final()]);
}
