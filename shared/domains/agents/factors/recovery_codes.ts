import { createHash, randomBytes } from 'node:crypto';

import { column, execute, row, type Database } from '../../../platform/rows.ts';

const CODES = 10;
/** 80 bits: too many to find a code from its hash. */
const CHARS = 16;
/** Crockford's base32: no letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Replaces all codes by ten new ones. They are shown once: only hashes are kept. */
export async function makeRecoveryCodes(db: Database, agentId: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await execute(db, 'delete from recovery_code where agent_id = $1', [agentId]);
  await execute(
    db,
    `insert into recovery_code (agent_id, hash)
     select $1, hash from unnest($2::bytea[]) as made(hash)`,
    [agentId, codes.map((code) => digestOf(code))],
  );
  return codes;
}

/** Uses up a code. False: there is no such unused code. */
export async function takeRecoveryCode(
  db: Database,
  agentId: number,
  code: string,
): Promise<boolean> {
  const taken = await execute(db, 'delete from recovery_code where agent_id = $1 and hash = $2', [
    agentId,
    digestOf(code),
  ]);
  return taken === 1;
}

/** Number of unused codes. */
export async function countRecoveryCodes(db: Database, agentId: number): Promise<number> {
  const { count } = await row(
    db,
    { count: column.int },
    'select count(*)::int as count from recovery_code where agent_id = $1',
    [agentId],
  );
  return count;
}

/** A code in the form `xxxx-xxxx-xxxx-xxxx`. */
function newCode(): string {
  const chars = [...randomBytes(CHARS)].map((byte) => ALPHABET[byte % ALPHABET.length]!);
  return chars.join('').match(/.{4}/g)!.join('-');
}

/** Ignores capitals and spaces, and reads letters as the digits that Crockford gives them. */
const digestOf = (code: string): Buffer => {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const read = plain.replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return createHash('sha256').update(read).digest();
};
