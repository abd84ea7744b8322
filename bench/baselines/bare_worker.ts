import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

import { readConfig } from '../../shared/composition/config.ts';

// The worker of bare BullMQ: takes a job and publishes its end.
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
