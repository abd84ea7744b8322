import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { createApp } from '../../api/app.ts';
import { openDoor } from '../../shared/kernel/invoke.ts';
import { readConfig } from '../../shared/platform/config/config.ts';
import { openWaiting } from '../../shared/jobs/waiters.ts';
import { openWorld } from '../../shared/kernel/open_context.ts';
import { armCrash } from './arm_crash.ts';

// An API as api/main.ts starts it, at the place in Redis that its test chose, and armed.

const prefix = armCrash();
const config = readConfig();
const world = await openWorld(config, { process: 'api', prefix });
world.keys.start(() => undefined);
const waiting = openWaiting(world.database, config.redisUrl, world.log);
const server = createApp(world, openDoor(world, waiting)).listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ port: (server.address() as AddressInfo).port });
