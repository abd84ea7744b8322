import { constants, setPriority } from 'node:os';

import { migrationNames } from '../migrations/files.ts';
import { BadSettings } from '../shared/platform/config/environment.ts';
import { readConfig } from '../shared/composition/config.ts';
import { watchDatabase } from '../shared/composition/database_state.ts';
import { startHeartbeat } from '../shared/composition/machine/heartbeat.ts';
import { openHealthServer } from '../shared/composition/health_server.ts';
import { openProcessMetrics } from '../shared/composition/metrics.ts';
import { closeContext, openContext } from '../shared/composition/open_context.ts';
import { sharedHostsOf } from '../shared/domains/proxies/settings.ts';
import { isLoopback } from '../shared/platform/egress/addresses.ts';
import { redisForWorkers, warnOfEviction } from '../shared/platform/redis.ts';
import { queues } from '../shared/composition/queues.ts';
import { keepAdjusted } from '../shared/platform/clock.ts';
import { onShutdown } from '../shared/platform/shutdown.ts';
import { startDeliveries, WEBHOOKS } from './deliveries.ts';
import { startDispatcher } from './dispatch.ts';
import { openGateways } from './gateways/open.ts';
import { countedJobs, startWorker } from './worker.ts';

async function main(): Promise<void> {
  const config = readConfig();
  const known: readonly string[] = [...queues, WEBHOOKS];
  const unknown = config.jobs.queues.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new BadSettings(`QUEUES names ${unknown.join(', ')}; there are ${known.join(', ')}`);
  }
  const taken = config.jobs.queues.length > 0 ? config.jobs.queues : known;
  const takesJobs = taken.some((name) => name !== WEBHOOKS);
  // Nobody waits for a webhook, but somebody waits for the work that it would delay.
  if (!takesJobs) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const gateways = openGateways(config);
  const context = await openContext(config, { process: 'worker', gateways });
  const connection = redisForWorkers(config.redisUrl, context.log);
  const workers = taken.map((name) =>
    name === WEBHOOKS ? startDeliveries(context) : startWorker(context, name, connection),
  );
  const dispatcher = takesJobs ? startDispatcher(context) : undefined;
  const scrape = openProcessMetrics(context);
  const { healthPort } = config.jobs;
  const health =
    healthPort === undefined
      ? undefined
      : await openHealthServer(
          context,
          { host: config.api.host, port: healthPort },
          {
            scrape,
            facts: { queues: taken },
            database: watchDatabase(context, migrationNames),
          },
        );
  const stopClock = keepAdjusted(context.clock, context.reserved, context.log);

  const heartbeat = startHeartbeat(context, {
    role: 'worker',
    queues: taken.filter((name) => name !== WEBHOOKS),
    counted: countedJobs,
  });

  onShutdown(context, async () => {
    health?.close();
    stopClock();
    await heartbeat.stop();
    await dispatcher?.stop();
    await Promise.all(workers.map((worker) => worker.close()));
    connection.disconnect();
    await closeContext(context);
  });
  connection.once('ready', () => void warnOfEviction(connection, context.log));
  context.log.info({ queues: taken }, 'a worker takes jobs');
  // A judge on this machine is asked by proxies of this machine alone: those of a demo.
  const hosts = sharedHostsOf(config.proxies).filter((host) => !isLoopback(host));
  if (taken.includes('probes') && config.proxies.sources.length > 0 && hosts.length > 0) {
    context.log.warn(
      { hosts },
      'a proxy can recognise the page that checks ask for: PROXY_PAGES should name other hosts',
    );
  }
  process.send?.('ready');
}

main().catch((error: unknown) => {
  console.error(error instanceof BadSettings ? error.message : error);
  process.exit(1);
});
