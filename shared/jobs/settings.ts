import type { SettingReader } from '../platform/config/environment.ts';
import { list, whole } from '../platform/config/setting_values.ts';

/** The longest that a caller may wait for a job. */
export const WAIT_SECONDS_MAX = 25;

export const jobSettings = ({ read, optional }: SettingReader) =>
  Object.freeze({
    /** The queues that this worker takes from; empty: all of them. */
    queues: read('QUEUES', '', list),
    /**
     * BullMQ jobs (single calls or batches) that one worker process has in hand per queue. Of jobs
     * that ask outside systems it has eight times as many.
     */
    concurrency: read('WORKER_CONCURRENCY', '8', whole(1, 256)),
    /** Where a worker answers that it is alive; undefined: nowhere. */
    healthPort: optional('WORKER_HEALTH_PORT', whole(1, 65_535)),
  });

export type JobSettings = ReturnType<typeof jobSettings>;
