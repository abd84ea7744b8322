import type { Server } from 'node:http';
import type { AddressInfo, Server as Listener } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { openInvoke } from '../shared/kernel/invoke.ts';
import { BadSettings } from '../shared/platform/config/environment.ts';
import { readConfig } from '../shared/composition/config.ts';
import { openWaiters } from '../shared/jobs/waiters.ts';
import { throttled } from '../shared/platform/log.ts';
import { closeContext, openContext } from '../shared/composition/open_context.ts';
import { keepAdjusted } from '../shared/platform/clock.ts';
import { onShutdown } from '../shared/platform/shutdown.ts';
import { createApp } from './app.ts';
import { stuckMsOf } from './http/health.ts';
import { BACKLOG, openServer } from './http/server.ts';
import { openLoadShedder } from './http/load_shedder.ts';
import { listen } from './listen.ts';

/** Connections without an answer by then are closed; jobs go on without their callers. */
const ANSWER_MS_MAX = 5_000;
const CLOSE_MS_MAX = 1_500;
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
  const app = createApp(context, openInvoke(context, waiters), { draining: draining.signal });
  const answer = app.callback();
  const shed = openLoadShedder(context);
  const server = openServer(config.api, (req, res) => void (shed(req, res) || answer(req, res)));
  const { host } = config.api;
  const listening = await listen(server, { host, port: config.api.port, backlog: BACKLOG });

  const endFor = onShutdown(context, async () => {
    draining.abort();
    clearInterval(check);
    stopClock();
    const closed = close(server, listening);
    waiters.close(); // Callers that wait are answered now: where to poll.
    context.feed.close();
    limiters.refusals.close();
    await closed;
    await Promise.race([closeContext(context), sleep(CLOSE_MS_MAX)]);
  });
  // No call takes so long: something has kept its permit, and only a new process has them all.
  const stuckMsMax = config.databaseMs + config.api.stuckMs;
  const check = setInterval(() => {
    if (stuckMsOf(context) > stuckMsMax) endFor('all permits are in use, and none is released');
  }, STUCK_CHECK_EVERY_MS);
  const { port } = server.address() as AddressInfo;
  context.log.info({ host, port }, 'the API is listening');
  process.send?.({ port });
}

/** Accepts no more connections, and ends each one as soon as it has its answer. */
async function close(server: Server, listening: readonly Listener[]): Promise<void> {
  const closed = Promise.all(listening.map((one) => new Promise((resolve) => one.close(resolve))));
  // A connection that is kept alive would keep the server open until its client disconnects.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), ANSWER_MS_MAX);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}

main().catch((error: unknown) => {
  console.error(error instanceof BadSettings ? error.message : error);
  process.exit(1);
});
