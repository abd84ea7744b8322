import { Refusal } from '../../kernel/refusal.ts';
import { scrub } from '../../platform/log.ts';
import { execute, type Database } from '../../platform/rows.ts';
import type { RequestRow } from './request_row.ts';

/** Maximum characters of an error answer that are kept. */
const ANSWER_CHARS_MAX = 2_000;

/** A period in which rows have one partition, and the number of partitions (0051_requests.sql). */
const PERIOD_MS = 2 * 86_400_000;
const SLOTS = 6;

/** Writes rows in one statement. */
export async function insertRequests(
  database: Database,
  rows: readonly RequestRow[],
  bodyOf: (refusal: Refusal, requestId: string) => string,
): Promise<void> {
  const answerOf = ({ error, requestId }: RequestRow): string | null => {
    if (error === null) return null;
    const body = error instanceof Refusal ? bodyOf(error, requestId ?? '') : error;
    // Half of a character would be refused.
    return scrub(body)
      .slice(0, ANSWER_CHARS_MAX)
      .replace(/[\ud800-\udbff]$/, '');
  };
  await execute(
    database,
    `insert into request (slot, root_id, agent_id, at, interface, operation, status, code, ms, cost,
                          calls, request_id, job_id, answer)
     select * from unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::text[],
                          $6::text[], $7::smallint[], $8::text[], $9::real[], $10::bigint[],
                          $11::int[], $12::text[], $13::uuid[], $14::text[])`,
    [
      rows.map(({ at }) => Math.floor(at / PERIOD_MS) % SLOTS),
      rows.map(({ rootId }) => rootId),
      rows.map(({ agentId }) => agentId),
      rows.map(({ at }) => new Date(at).toISOString()),
      rows.map((row) => row.interface),
      rows.map(({ operation }) => operation),
      rows.map(({ status }) => status),
      rows.map(({ code }) => code),
      rows.map(({ ms }) => ms),
      rows.map(({ cost }) => cost),
      rows.map(({ calls }) => calls),
      rows.map(({ requestId }) => requestId),
      rows.map(({ jobId }) => jobId),
      rows.map(answerOf),
    ],
  );
}
