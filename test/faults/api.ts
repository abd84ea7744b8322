import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { createApp } from '../../api/app.ts';
import { openServer } from '../../api/http/server.ts';
import { openInvoke } from '../../shared/composition/invoke/invoke.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { openWaiters } from '../../shared/jobs/waiters.ts';
import { openContext } from '../../shared/composition/open_context.ts';
import { armCrash } from './arm_crash.ts';

// An API as api/main.ts starts it, with the Redis prefix of its test and a crash point.

const prefix = armCrash();
const config = readConfig();
const context = await openContext(config, { process: 'api', prefix });
context.keys.start(() => undefined);
const waiters = openWaiters(context.reserved, config.redisUrl, context.log);
const answer = createApp(context, openInvoke(context, waiters));
const { signal: never } = new AbortController(); // The test kills it.
const server = openServer(config.api, answer, never);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ port: (server.address() as AddressInfo).port });
