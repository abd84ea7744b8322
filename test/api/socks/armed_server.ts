import { openSocksDoor } from '../../../api/socks/server.ts';
import { readConfig } from '../../../shared/platform/config/config.ts';
import { openWorld } from '../../../shared/kernel/open_context.ts';
import { armCrash } from '../../faults/arm_crash.ts';

// A door as api/socks/main.ts opens it, at the place in Redis that its test chose, and armed.

const prefix = armCrash();
const config = readConfig();
const world = await openWorld(config, { process: 'socks', prefix });
const door = await openSocksDoor(world, config.socks!);
process.send?.({ port: door.port });
