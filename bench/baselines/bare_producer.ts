import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

import { readConfig } from '../../shared/composition/config.ts';
import { quantile } from '../measure/statistics.ts';

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

async function measure({ callers, warmMs, ms }: { callers: number; warmMs: number; ms: number }) {
  const times: number[] = [];
  const from = performance.now() + warmMs;
  const until = from + ms;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < until) {
        const sentAt = performance.now();
        const id = (ids += 1);
        const answer = new Promise<void>((resolve) => waiters.set(id, resolve));
        await queue.add('bare', { id, replyTo });
        await answer;
        const now = performance.now();
        if (sentAt >= from && now < until) times.push(now - sentAt);
      }
    }),
  );
  const [p50, p99] = [0.5, 0.99].map((q) => quantile(times, q));
  return { calls: times.length, perSecond: (times.length / ms) * 1_000, p50, p99 };
}

process.on('message', (question: Parameters<typeof measure>[0]) => {
  void measure(question).then((answer) => process.send!(answer));
});
process.send!({ port: 0 });
