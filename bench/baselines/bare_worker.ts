import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

import { readConfig } from '../../shared/kernel/config.ts';

// Half of BullMQ doing nothing: takes a job and sends word.
const redis = new Redis(readConfig().redisUrl, { maxRetriesPerRequest: null });
const worker = new Worker(
  'bare',
  async ({ data }: { data: { id: number; replyTo: string } }) => {
    await redis.publish(data.replyTo, String(data.id));
  },
  { connection: redis, concurrency: 64, skipVersionCheck: true },
);
await worker.waitUntilReady();
process.send!({ port: 0 });
