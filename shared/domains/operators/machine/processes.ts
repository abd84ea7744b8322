import { column, jsonOf, oneOf, rows, type Database } from '../../../platform/rows.ts';
import type { QueueCounts, Role } from './records.ts';

/** Processes write their row every 15 seconds: after three misses something is wrong. */
export const SILENT_SECONDS = 60;
/** Maximum processes shown, those seen last first. */
export const PROCESSES_MAX = 200;

const PROCESS = {
  role: oneOf<Role>(),
  host: column.text,
  pid: column.int,
  release: column.text,
  started_at: column.time,
  seen_at: column.time,
  memory_mb: column.int,
  cpu_percent: column.int,
  queues: jsonOf<QueueCounts[]>(),
  silent: column.boolean,
};

/** Processes seen within the last hour; forget_old_rows deletes their rows after a day. */
export const findProcesses = (db: Database) =>
  rows(
    db,
    PROCESS,
    `select role, host, pid, release, started_at, seen_at, memory_mb, cpu_percent, queues,
            seen_at < now() - interval '${SILENT_SECONDS} seconds' as silent
       from process where seen_at > now() - interval '1 hour'
      order by silent, role, started_at limit ${PROCESSES_MAX}`,
  );
