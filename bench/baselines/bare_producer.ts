import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

import { readConfig } from '../../shared/composition/config.ts';
import { serveLoops } from '../measure/loops.ts';

// The producer of bare BullMQ: adds a job, waits until its end is published, and repeats.
const url = readConfig().redisUrl;
const replyTo = 'bare:answers';
const redis = new Redis(url);
const subscriber = new Redis(url);
const queue = new Queue('bare', {
  connection: redis,
  skipVersionCheck: true,
  defaultJobOptions: { removeOnComplete: true },
});
const waiters = new Map<number, () => void>();
subscriber.on('message', (_channel, id) => {
  waiters.get(Number(id))?.();
  waiters.delete(Number(id));
});
await subscriber.subscribe(replyTo);
let ids = 0;

serveLoops(async () => {
  const id = (ids += 1);
  const answer = new Promise<void>((resolve) => waiters.set(id, resolve));
  await queue.add('bare', { id, replyTo });
  await answer;
  return 1;
});
