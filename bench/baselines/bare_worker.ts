import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

import { readConfig } from '../../shared/composition/config.ts';
import { openCommits } from './commits.ts';

// The worker of bare BullMQ: takes a job and publishes its end. With an argument, it commits a row
// for each.
const config = readConfig();
const [name = 'bare'] = process.argv.slice(2);
const commit = name === 'bare' ? undefined : await openCommits(config.databaseUrl);
const redis = new Redis(config.redisUrl, { maxRetriesPerRequest: null });
const worker = new Worker(
  name,
  async ({ data }: { data: { id: number; replyTo: string } }) => {
    await commit?.();
    await redis.publish(data.replyTo, String(data.id));
  },
  { connection: redis, concurrency: 64, skipVersionCheck: true },
);
await worker.waitUntilReady();
process.send!({ port: 0 });
