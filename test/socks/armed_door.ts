import { openSocksDoor } from '../../api/socks/door.ts';
import { readConfig } from '../../shared/config.ts';
import { openWorld } from '../../shared/open_world.ts';
import { armCrash } from '../faults/arm_crash.ts';

// A door as api/socks.ts opens it, at the place in Redis that its test chose, and armed.

const prefix = armCrash();
const config = readConfig();
const world = await openWorld(config, { process: 'socks', prefix });
const door = await openSocksDoor(world, config.socks!);
process.send?.({ port: door.port });
