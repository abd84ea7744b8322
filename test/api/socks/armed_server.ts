import { openSocksServer } from '../../../api/socks/server.ts';
import { readConfig } from '../../../shared/kernel/config.ts';
import { openContext } from '../../../shared/kernel/open_context.ts';
import { armCrash } from '../../faults/arm_crash.ts';

// A door as api/socks/main.ts opens it, at the place in Redis that its test chose, and armed.

const prefix = armCrash();
const config = readConfig();
const context = await openContext(config, { process: 'socks', prefix });
const door = await openSocksServer(context, config.proxies.socks!);
process.send?.({ port: door.port });
