import type { SettingReader } from '../platform/config/environment.ts';
import { list, whole } from '../platform/config/setting_values.ts';

export const jobSettings = ({ read }: SettingReader) =>
  Object.freeze({
    /** The queues that this worker takes from; empty: all of them. */
    queues: read('QUEUES', '', list),
    /** BullMQ jobs (single calls or batches) that one worker process has in hand per queue. */
    concurrency: read('WORKER_CONCURRENCY', '8', whole(1, 256)),
  });

export type JobSettings = ReturnType<typeof jobSettings>;
