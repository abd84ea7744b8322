import { createHash } from 'node:crypto';

import { canonical, parseAddress } from '../../../kernel/mail_address.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, execute, row, rows } from '../../../platform/rows.ts';
import type { SealedColumn } from '../../../platform/secrets.ts';
import { bareAddress } from '../bare_address.ts';
import type { EmailFile } from './email_file.ts';
import { isAddressLike } from './file_text.ts';

/* The rows of a file, and each of its addresses once. */

/** The rows of one upload call. */
interface NewPart {
  readonly fileId: number;
  /** Number of rows before it. */
  readonly after: number;
  readonly rows: readonly (readonly string[])[];
  /** The rows as JSON. */
  readonly text: string;
  readonly emailColumn: number;
}

/** Adds rows. Returns the number of addresses that no row before has. */
export async function insertRows(tx: Tx, part: NewPart): Promise<number> {
  const { db, secrets, caller } = tx;
  const { fileId, after, text } = part;
  const { id } = await row(
    db,
    { id: column.id },
    `select nextval(pg_get_serial_sequence('email_file_part', 'id')) as id`,
  );
  await execute(
    db,
    `insert into email_file_part (id, file_id, after, row_count, content)
     overriding system value values ($1, $2, $3, $4, $5)`,
    [id, fileId, after, part.rows.length, secrets.seal(text, contentOf(id, caller.agentId))],
  );
  const found = part.rows.flatMap((cells, n) => {
    const isAddress = isAddressLike(cells[part.emailColumn]);
    const email = isAddress ? emailIn(cells, part.emailColumn) : undefined;
    return email === undefined ? [] : [{ ...mailboxOf(email), rowNumber: after + n }];
  });
  const inserted = await rows(
    db,
    { row_number: column.int },
    `insert into email_file_address (file_id, digest, domain_hash, row_number)
     select $1, decode(a.digest, 'hex'), a.domain_hash, a.row_number
       from unnest($2::text[], $3::int[], $4::int[]) as a(digest, domain_hash, row_number)
      order by a.row_number
     on conflict (file_id, digest) do nothing returning row_number`,
    [
      fileId,
      found.map(({ digest }) => digest),
      found.map(({ domainHash }) => domainHash),
      found.map(({ rowNumber }) => rowNumber),
    ],
  );
  return inserted.length;
}

/** The rows from `from` on, `count` at most, as lists of cells. */
export async function openRows(
  { db, secrets }: Pick<Tx, 'db' | 'secrets'>,
  { file_id, agent_id }: Pick<EmailFile, 'file_id' | 'agent_id'>,
  { from, count }: { from: number; count: number },
): Promise<string[][]> {
  const found = await rows(
    db,
    { id: column.id, after: column.int, content: column.bytes },
    `select id, after, content from email_file_part
      where file_id = $1 and after < $2::int + $3::int and after + row_count > $2::int
      order by after`,
    [file_id, from, count],
  );
  return found.flatMap((part) => {
    const text = secrets.open(part.content, contentOf(part.id, agent_id));
    const all = JSON.parse(text) as string[][];
    return all.slice(Math.max(0, from - part.after), from + count - part.after);
  });
}

/**
 * The address in a row; undefined: it has none. A cell without "@" is none, and costs nothing. A
 * nested one was an address in files of release 0.2.0, so it still has one.
 */
export function emailIn(cells: readonly string[], emailColumn: number): string | undefined {
  const cell = cells[emailColumn]?.trim() ?? '';
  if (!cell.includes('@')) return undefined;
  return bareAddress(cell).slice(0, 320);
}

/** The digest of a mailbox, in hexadecimal, equal for all its spellings; and that of its domain. */
export function mailboxOf(email: string): { digest: string; domainHash: number } {
  const address = parseAddress(email);
  const domain = address?.domain ?? '';
  return {
    digest: sha256(address ? canonical(address) : email)
      .subarray(0, 16)
      .toString('hex'),
    domainHash: sha256(domain).readInt32BE(),
  };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const contentOf = (id: number, agentId: number) => ({
  table: 'email_file_part',
  column: 'content',
  row: id,
  owner: agentId,
});

export const SEALED_EMAIL_FILES: SealedColumn = {
  table: 'email_file_part',
  column: 'content',
  row: 's.id::text',
  owner: 'f.agent_id',
  join: 'join email_file f on f.id = s.file_id',
};
