import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

import { readConfig } from '../../shared/composition/config.ts';
import { serveLoops } from '../measure/loops.ts';
import { openCommits } from './commits.ts';

// The producer of bare BullMQ: adds a job, waits until its end is published, and repeats. With an
// argument, it commits a row before each.
const config = readConfig();
const [name = 'bare'] = process.argv.slice(2);
const commit = name === 'bare' ? undefined : await openCommits(config.databaseUrl);
const replyTo = `${name}:answers`;
const redis = new Redis(config.redisUrl);
const subscriber = new Redis(config.redisUrl);
const queue = new Queue(name, {
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
  await commit?.();
  await queue.add(name, { id, replyTo });
  await answer;
  return 1;
});
