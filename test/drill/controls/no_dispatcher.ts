import { queues } from '../../../shared/composition/queues.ts';
import { readConfig } from '../../../shared/composition/config.ts';
import { openContext } from '../../../shared/composition/open_context.ts';
import { redisForWorkers } from '../../../shared/platform/redis.ts';
import { startWorker } from '../../../workers/worker.ts';

// Wrong on purpose: normal workers without any dispatcher. What Redis loses is lost.

const context = await openContext(readConfig(), { process: 'worker' });
const connection = redisForWorkers(context.config.redisUrl, context.log);
for (const queue of queues) startWorker(context, queue, connection);
context.log.info({ queues }, 'a worker takes jobs');
