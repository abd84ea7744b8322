import type { DataSource } from 'typeorm';

import type { Refusal } from '../../kernel/refusal.ts';
import { isRefusedData } from '../../platform/fault.ts';
import { throttled, type Log } from '../../platform/log.ts';
import { counter } from '../../platform/metrics.ts';
import { insertRequests } from './insert_requests.ts';
import type { RequestRow } from './request_row.ts';
import { openTreeLimits } from './tree_limits.ts';

const WRITE_AFTER_MS = 1_000;
/** Rows that are written at once when they have gathered, and the most of one statement. */
const ROWS_MAX = 500;
/** Maximum rows in memory, as while PostgreSQL is away; the oldest are dropped for new ones. */
const BUFFER_MAX = 10_000;

/**
 * The calls that owners see, kept in memory and written on their own, every second if there are
 * any. A call does no more for it than `note`. A process that is killed loses the calls of its last
 * second, and those of its last minute that were summed up.
 */
export interface RequestLog {
  /** Notes one call. */
  note(call: RequestRow): void;
  /** Writes what was noted so far. Rejects if the database does not take it; it is kept then. */
  write(): Promise<void>;
  /** Writes everything, also the rows of the minute that goes on, and takes no more. */
  close(): Promise<void>;
}

const dropped = counter(
  'market_requests_dropped_total',
  'Rows of the log of requests that were not written: PostgreSQL was away, too slow, or refused them.',
);

interface Parameters {
  readonly database: Pick<DataSource, 'query'>;
  readonly log: Log;
  /** The body of the answer of a refusal. */
  readonly bodyOf: (refusal: Refusal, requestId: string) => string;
  /** Null: nothing is kept. */
  readonly days: number | null;
}

export function openRequestLog({ database, log, bodyOf, days }: Parameters): RequestLog {
  const warn = throttled(log);
  const limits = openTreeLimits();
  const rows: RequestRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let hasFailed = false;
  let closed = days === null;

  function bound(): void {
    // Many at once: one at a time would move all others each time.
    while (rows.length > BUFFER_MAX) dropped.inc(rows.splice(0, ROWS_MAX).length);
  }

  function schedule(): void {
    if (closed || writing) return;
    // While the database is away, it is asked once a second.
    if (rows.length >= ROWS_MAX && !hasFailed) void writeOrWarn();
    else timer ??= setTimeout(() => void writeOrWarn(), WRITE_AFTER_MS);
  }

  async function writeRows(): Promise<void> {
    while (rows.length > 0) {
      const some = rows.splice(0, ROWS_MAX);
      try {
        await insertRequests(database, some, bodyOf);
      } catch (error) {
        if (isRefusedData(error)) {
          // Tried again, they would hold up all later rows.
          dropped.inc(some.length);
          warn('some requests are not in the log of their owners', error);
          continue;
        }
        rows.unshift(...some);
        bound();
        throw error;
      }
    }
  }

  /** One write at a time: a statement that hangs does not take further connections. */
  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    while (writing) await writing.catch(() => undefined);
    rows.push(...limits.takeEnded(Date.now()));
    writing = writeRows();
    hasFailed = true;
    try {
      await writing;
      hasFailed = false;
    } finally {
      writing = undefined;
      // Rows of several calls are written after their minute, also if no call follows.
      if (rows.length > 0 || limits.hasSome()) schedule();
    }
  }

  const writeOrWarn = () =>
    write().catch((error: unknown) => warn('requests could not be written', error));

  return {
    note(call) {
      if (closed) return;
      if (limits.take(call)) {
        rows.push(call);
        bound();
      }
      schedule();
    },
    write,
    async close() {
      closed = true;
      rows.push(...limits.takeAll());
      await writeOrWarn();
    },
  };
}
