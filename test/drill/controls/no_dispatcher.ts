import { queues } from '../../../shared/kernel/catalog.ts';
import { readConfig } from '../../../shared/platform/config/config.ts';
import { openWorld } from '../../../shared/kernel/open_context.ts';
import { redisForWorkers } from '../../../shared/platform/redis.ts';
import { startWorker } from '../../../workers/worker.ts';

// Wrong on purpose: workers as they are, and no dispatcher in any of them. What Redis loses is
// lost.

const world = await openWorld(readConfig(), { process: 'worker' });
const connection = redisForWorkers(world.config.redisUrl, world.log);
for (const queue of queues) startWorker(world, queue, connection);
world.log.info({ queues }, 'a worker takes jobs');
