import { createHash, randomBytes } from 'node:crypto';

import { column, execute, row, type Database } from '../../platform/rows.ts';

const CODES = 10;
/** 80 bits: nobody finds one from its hash. */
const CHARS = 16;
/** Crockford's base32: no letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Makes ten codes in place of all before. They are shown once: only hashes are kept. */
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

/** Whether this is one of the codes that were not used. It is used by that. */
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

/** How many are left. */
export async function countRecoveryCodes(db: Database, agentId: number): Promise<number> {
  const { count } = await row(
    db,
    { count: column.int },
    'select count(*)::int as count from recovery_code where agent_id = $1',
    [agentId],
  );
  return count;
}

/** `xxxx-xxxx-xxxx-xxxx`. */
function newCode(): string {
  const chars = [...randomBytes(CHARS)].map((byte) => ALPHABET[byte % ALPHABET.length]!);
  return chars.join('').match(/.{4}/g)!.join('-');
}

/** However it is typed: capitals, spaces, the letters that Crockford reads as digits. */
const digestOf = (code: string): Buffer => {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const read = plain.replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return createHash('sha256').update(read).digest();
};
