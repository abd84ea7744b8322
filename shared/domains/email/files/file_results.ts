import { Output, Type, type Static } from '../../../kernel/schema.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, execute, jsonOf, nullable, oneOf, rows } from '../../../platform/rows.ts';
import type { BatchResult } from '../batch.ts';
import { didYouMean } from '../did_you_mean.ts';
import { verdictOn } from '../findings.ts';
import { NOT_ASKED } from '../mailbox.ts';

/* What was found about the addresses of a file. */

type Result = Static<typeof BatchResult>;
/** A result without addresses: they are in the rows, which are sealed. */
type StoredResult = Omit<Result, 'email' | 'did_you_mean'> & { readonly misspelt: boolean };

function storedOf({ email: _email, did_you_mean, ...result }: Result): StoredResult {
  return { ...result, misspelt: did_you_mean !== null };
}

/** A result as it was answered, with the address as it stands in a row. A repeat costs nothing. */
export function shownResult(
  email: string,
  { misspelt, ...result }: StoredResult,
  isRepeat: boolean,
): Result {
  const charged = isRepeat ? 0 : result.charged;
  return { ...result, email, charged, did_you_mean: (misspelt && didYouMean(email)) || null };
}

/** SQL: an address that has no answer yet, or one that may change and was free. */
const isOpen = (alias: string) =>
  `(${alias}.status is null or ${alias}.status in ('unknown', 'unpaid'))`;

/** Row numbers of the addresses without an answer, and the hashes of their domains. */
export const openAddresses = (
  db: Tx['db'],
  fileId: number,
): Promise<{ row_number: number; domain_hash: number }[]> =>
  rows(
    db,
    { row_number: column.int, domain_hash: column.int },
    `select row_number, domain_hash from email_file_address a
      where file_id = $1 and ${isOpen('a')} order by row_number`,
    [fileId],
  );

/** Row numbers of those that are in these rows. */
export async function openIn(
  db: Tx['db'],
  fileId: number,
  { from, count }: { from: number; count: number },
): Promise<number[]> {
  const found = await rows(
    db,
    { row_number: column.int },
    `select row_number from email_file_address a
      where file_id = $1 and row_number >= $2::int and row_number < $2::int + $3::int
        and ${isOpen('a')} order by row_number`,
    [fileId, from, count],
  );
  return found.map(({ row_number }) => row_number);
}

/** Stores the results of addresses, in the transaction that charges for them. */
export async function storeResults(
  tx: Tx,
  fileId: number,
  results: readonly { readonly rowNumber: number; readonly result: Result }[],
): Promise<void> {
  if (results.length === 0) return;
  const stored = results.map(({ rowNumber, result }) => ({
    row_number: rowNumber,
    status: result.status,
    result: storedOf(result),
  }));
  const count = await execute(
    tx.db,
    `update email_file_address a set status = r.status, result = r.result, call_id = $3
       from jsonb_to_recordset($2::jsonb) as r(row_number int, status text, result jsonb)
      where a.file_id = $1 and a.row_number = r.row_number
        and ${isOpen('a')}`,
    [fileId, JSON.stringify(stored), tx.key],
  );
  // An answer that is not stored would be charged for nothing.
  if (count !== results.length) throw new Error(`file ${fileId} lacks addresses that were asked`);
}

/**
 * Makes answers unknown that were given back, because their mail hosts are not believed any more.
 * They can then be asked for again. `replies`: the refusals of these hosts.
 */
export async function withdrawResults(db: Tx['db'], replies: readonly number[]): Promise<void> {
  const found = await rows(
    db,
    { file_id: column.id, row_number: column.int, result: jsonOf<StoredResult>() },
    `select a.file_id, a.row_number, a.result
       from mail_reply r
       join charge c on c.id = r.charge_id
       join job j on j.id = c.call_id and j.operation = 'check_email_file'
       join email_file_address a on a.file_id = (j.input->>'file_id')::bigint
         and a.digest = substring(r.mailbox from 1 for 16) and a.call_id = c.call_id
      where r.id = any ($1)`,
    [replies],
  );
  const withdrawn = found.map((one) => ({ ...one, result: inDoubt(one.result) }));
  await execute(
    db,
    `update email_file_address a set status = 'unknown', result = w.result
       from jsonb_to_recordset($1::jsonb) as w(file_id bigint, row_number int, result jsonb)
      where a.file_id = w.file_id and a.row_number = w.row_number`,
    [JSON.stringify(withdrawn)],
  );
}

function inDoubt(result: StoredResult): StoredResult {
  const { disposable, role } = result;
  const finding = 'host_in_doubt';
  const verdict = verdictOn({ finding, disposable, role });
  return { ...result, ...verdict, ...NOT_ASKED, sub_status: finding, charged: 0 };
}

/** The results of addresses by their digests. */
export async function findResults(
  db: Tx['db'],
  fileId: number,
  digests: readonly string[],
): Promise<Map<string, { result: StoredResult | null; row_number: number }>> {
  const found = await rows(
    db,
    { digest: column.text, row_number: column.int, result: nullable(jsonOf<StoredResult>()) },
    `select encode(digest, 'hex') as digest, row_number, result from email_file_address
      where file_id = $1
        and digest = any (array(select decode(d, 'hex') from unnest($2::text[]) as d))`,
    [fileId, digests],
  );
  return new Map(found.map(({ digest, ...stored }) => [digest, stored]));
}

const STATUSES = ['deliverable', 'risky', 'undeliverable', 'unknown', 'unpaid', 'waiting'] as const;
type Counts = Record<(typeof STATUSES)[number], number>;

const count = (description: string) => Type.Integer({ description });
/** Number of addresses by status. */
export const ResultCounts = Output('EmailFileCounts', {
  deliverable: count('Addresses with this status.'),
  risky: count('Addresses with this status.'),
  undeliverable: count('Addresses with this status.'),
  unknown: count('Could not be determined; free.'),
  unpaid: count('Not validated: money or a limit ran out.'),
  waiting: count('Not validated yet.'),
});

export async function countResults(db: Tx['db'], fileId: number): Promise<Counts> {
  const found = await rows(
    db,
    { status: oneOf<keyof Counts>(), count: column.int },
    `select coalesce(status, 'waiting') as status, count(*)::int as count
       from email_file_address where file_id = $1 group by 1`,
    [fileId],
  );
  const counts = new Map(found.map((one) => [one.status, one.count]));
  return Object.fromEntries(STATUSES.map((status) => [status, counts.get(status) ?? 0])) as Counts;
}
