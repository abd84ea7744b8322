import type { Server } from 'node:http';
import type { AddressInfo, Server as Listener } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { openInvoke } from '../shared/composition/invoke/invoke.ts';
import { BadSettings } from '../shared/platform/config/environment.ts';
import { readConfig } from '../shared/composition/config.ts';
import { openWaiters } from '../shared/jobs/waiters.ts';
import { throttled } from '../shared/platform/log.ts';
import { startHeartbeat } from '../shared/composition/machine/heartbeat.ts';
import { closeContext, openContext } from '../shared/composition/open_context.ts';
import { keepAdjusted } from '../shared/platform/clock.ts';
import { onShutdown } from '../shared/platform/shutdown.ts';
import { createApp } from './app.ts';
import { stuckMsOf } from './http/health.ts';
import { BACKLOG, openServer } from './http/server.ts';
import { openLoadShedder } from './http/load_shedder.ts';
import { listen } from './listen.ts';
import { countedCalls } from './measured.ts';

/** Connections still unanswered after this time are closed; jobs go on without their callers. */
const ANSWER_MS_MAX = 5_000;
const CLOSE_MS_MAX = 1_500;
/** Time in ms between the end of all that and STOP_MS, at which the process ends with code 1. */
const SPARE_MS = 500;
const STUCK_CHECK_EVERY_MS = 1_000;

async function main(): Promise<void> {
  const config = readConfig();
  const context = await openContext(config, { process: 'api' });
  const warn = throttled(context.log);
  const stopClock = keepAdjusted(context.clock, context.reserved, context.log);
  await context.keys.look();
  context.keys.start((error) => warn('revoked keys could not be looked up', error));

  const { reserved, limiters, log } = context;
  const waiters = openWaiters(reserved, config.redisUrl, log, limiters);
  const draining = new AbortController();
  const answer = createApp(context, openInvoke(context, waiters), { draining: draining.signal });
  const shed = openLoadShedder(context);
  const server = openServer(
    config.api,
    (req, res) => void (shed(req, res) || answer(req, res)),
    draining.signal,
  );
  const { host } = config.api;
  const listening = await listen(server, { host, port: config.api.port, backlog: BACKLOG });

  const endFor = onShutdown(context, async () => {
    draining.abort();
    clearInterval(check);
    // Routers see by then that it is not ready. Until they do, it serves what they send.
    await sleep(config.drainMs);
    stopClock();
    await heartbeat.stop();
    const answerMs = config.stopMs - config.drainMs - CLOSE_MS_MAX - SPARE_MS;
    const closed = close(server, listening, Math.min(ANSWER_MS_MAX, Math.max(0, answerMs)));
    waiters.close(); // Waiting callers are answered now, with the path to poll.
    context.feed.close();
    limiters.refusals.close();
    await closed;
    await Promise.race([closeContext(context), sleep(CLOSE_MS_MAX)]);
  });
  // No call takes this long: something has kept its permit, and only a new process gets it back.
  const stuckMsMax = config.databaseMs + config.api.stuckMs;
  const check = setInterval(() => {
    if (stuckMsOf(context) > stuckMsMax) endFor('all permits are in use, and none is released');
  }, STUCK_CHECK_EVERY_MS);
  const heartbeat = startHeartbeat(context, { role: 'api', counted: countedCalls });
  const { port } = server.address() as AddressInfo;
  context.log.info({ host, port }, 'the API is listening');
  process.send?.({ port });
}

/** Stops accepting connections, and ends each open one as soon as it has its answer. */
async function close(
  server: Server,
  listening: readonly Listener[],
  answerMs: number,
): Promise<void> {
  const closed = Promise.all(listening.map((one) => new Promise((resolve) => one.close(resolve))));
  // A kept-alive connection would keep the server open until its client disconnects.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), answerMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}

main().catch((error: unknown) => {
  console.error(error instanceof BadSettings ? error.message : error);
  process.exit(1);
});
