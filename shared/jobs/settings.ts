import type { SettingReader } from '../platform/config/environment.ts';
import { list, whole } from '../platform/config/setting_values.ts';

/** Maximum time that a caller may wait for a job. */
export const WAIT_SECONDS_MAX = 25;

export const jobSettings = ({ read, optional }: SettingReader) =>
  Object.freeze({
    /** Queues that this worker takes from; empty: all. */
    queues: read('QUEUES', '', list),
    /**
     * Maximum concurrent BullMQ jobs (single calls or batches) of a worker process per queue; eight
     * times as many for jobs that ask outside systems.
     */
    concurrency: read('WORKER_CONCURRENCY', '8', whole(1, 256)),
    /** Port of the health check of a worker; undefined: none. */
    healthPort: optional('WORKER_HEALTH_PORT', whole(1, 65_535)),
  });

export type JobSettings = ReturnType<typeof jobSettings>;
