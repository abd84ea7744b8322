import { queues } from '../../shared/composition/queues.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { openContext } from '../../shared/composition/open_context.ts';
import { redisForWorkers } from '../../shared/platform/redis.ts';
import { startDeliveries } from '../../workers/deliveries.ts';
import { startDispatcher } from '../../workers/dispatch.ts';
import { openGateways } from '../../workers/gateways/open.ts';
import { startWorker } from '../../workers/worker.ts';
import { armCrash } from './arm_crash.ts';

// A worker as workers/main.ts starts it, with the Redis prefix of its test and a crash point.

const prefix = armCrash();
const config = readConfig();
const context = await openContext(config, {
  process: 'worker',
  prefix,
  gateways: openGateways(config),
});
const connection = redisForWorkers(config.redisUrl, context.log);
const named = config.jobs.queues.length > 0 ? config.jobs.queues : queues;
const performed = process.env.WITHOUT_JOBS ? [] : named;
const workers = performed.map((queue) => startWorker(context, queue, connection, prefix));
await Promise.all(workers.map(({ ready }) => ready));
if (!process.env.WITHOUT_JOBS) startDeliveries(context);
// By the clock only where a test says so: it must not pass or fail by the minute it runs in.
const schedules = process.env.SCHEDULES !== undefined;
if (!process.env.WITHOUT_DISPATCHER) startDispatcher(context, prefix, { schedules });
process.send?.({});
