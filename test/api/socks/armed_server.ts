import { openSocksServer } from '../../../api/socks/server.ts';
import { readConfig } from '../../../shared/composition/config.ts';
import { openContext } from '../../../shared/composition/open_context.ts';
import { armCrash } from '../../faults/arm_crash.ts';

// A server as api/socks/main.ts opens it, with the prefix in Redis that its test chose, and armed.

const prefix = armCrash();
const config = readConfig();
const context = await openContext(config, { process: 'socks', prefix });
const server = await openSocksServer(context, config.proxies.socks!);
process.send?.({ port: server.port });
