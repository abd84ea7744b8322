import {
  calculateJwkThumbprint,
  CompactSign,
  compactVerify,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
} from 'jose';

import type { Tx } from '../../kernel/tx.ts';
import { column, execute, row, rows, type Database } from '../../platform/rows.ts';
import type { SealedColumn } from '../../platform/secrets.ts';

/** Ed25519 (RFC 8037), by the name that most libraries know; RFC 9864 has a newer one. */
const ALGORITHM = 'EdDSA';
const CURVE = { kty: 'OKP', crv: 'Ed25519' } as const;

/** A public key as /.well-known/jwks.json shows it (RFC 7517). */
interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** The key in use, which signs a document as a JWS (RFC 7515). */
interface Signer {
  readonly keyId: number;
  sign(document: string): Promise<{ readonly jws: string; readonly signature: Buffer }>;
}

const KEY = { id: column.id, kid: column.text, public_key: column.text };

/** Public keys, the oldest first. They stay for ever, so that old receipts can be verified. */
export async function publicKeys(db: Database): Promise<PublicKey[]> {
  const found = await rows(db, KEY, 'select id, kid, public_key from receipt_key order by id');
  return found.map(({ kid, public_key: x }) => ({ ...CURVE, x, kid, alg: ALGORITHM, use: 'sig' }));
}

/** Opens the key in use, and makes the first one. The watermark of receipts is locked. */
export async function openSigner(tx: Pick<Tx, 'db' | 'secrets'>): Promise<Signer> {
  const key = (await keyInUse(tx.db)) ?? (await newKey(tx));
  const d = tx.secrets.open(key.sealed, locationOf(key.kid));
  const privateKey = await importJWK({ ...CURVE, x: key.public_key, d }, ALGORITHM);
  const header = headerOf(key.kid);
  return {
    keyId: key.id,
    async sign(document) {
      const bytes = new TextEncoder().encode(document);
      const jws = await new CompactSign(bytes).setProtectedHeader(header).sign(privateKey);
      return { jws, signature: Buffer.from(jws.split('.')[2]!, 'base64url') };
    },
  };
}

/** Replaces the key in use, and erases its private half. */
export async function replaceKey(tx: Pick<Tx, 'db' | 'secrets'>): Promise<string> {
  await execute(
    tx.db,
    'update receipt_key set sealed = null, retired_at = now() where retired_at is null',
  );
  return (await newKey(tx)).kid;
}

/** The document of a JWS that one of these keys has signed, or undefined. */
export async function signedText(
  jws: string,
  keys: readonly PublicKey[],
): Promise<string | undefined> {
  if (!jws.split('.').every(isCanonical)) return undefined;
  try {
    const { payload } = await compactVerify(
      jws,
      async ({ kid }) => {
        const key = keys.find((one) => one.kid === kid);
        if (!key) throw new errors.JWKSNoMatchingKey();
        return importJWK({ ...key }, ALGORITHM);
      },
      { algorithms: [ALGORITHM] },
    );
    return new TextDecoder().decode(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** Whether a part is the one spelling of its bytes in base64url (RFC 4648, section 3.5). */
const isCanonical = (part: string): boolean =>
  Buffer.from(part, 'base64url').toString('base64url') === part;

const SEALED_KEY = { ...KEY, sealed: column.bytes };

const keyInUse = async (db: Database) =>
  (
    await rows(
      db,
      SEALED_KEY,
      'select id, kid, public_key, sealed from receipt_key where retired_at is null',
    )
  )[0];

async function newKey({ db, secrets }: Pick<Tx, 'db' | 'secrets'>) {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const { x, d } = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint({ ...CURVE, x: x! });
  const header = Buffer.from(JSON.stringify(headerOf(kid))).toString('base64url');
  return row(
    db,
    SEALED_KEY,
    `insert into receipt_key (kid, public_key, sealed, header) values ($1, $2, $3, $4)
     returning id, kid, public_key, sealed`,
    [kid, x, secrets.seal(d!, locationOf(kid)), header],
  );
}

const headerOf = (kid: string) => ({ alg: ALGORITHM, kid, typ: 'receipt+jws' });

const locationOf = (kid: string) => ({
  table: 'receipt_key',
  column: 'sealed',
  row: kid,
  owner: 0,
});

export const SEALED_RECEIPT_KEYS: SealedColumn = {
  table: 'receipt_key',
  column: 'sealed',
  row: 's.kid',
  owner: '0',
};
