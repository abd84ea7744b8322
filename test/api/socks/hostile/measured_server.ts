import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { openSocksServer } from '../../../../api/socks/server.ts';
import { readConfig } from '../../../../shared/composition/config.ts';
import { openContext } from '../../../../shared/composition/open_context.ts';

// A server as api/socks/main.ts opens it, which says what it took since it was asked last.

/** Reports of the process. */
export interface Measured {
  /** The longest time in which its event loop did nothing else. */
  readonly stallMs: number;
  readonly memoryMb: number;
  /** The part of it in use: the rest is heap that was not collected, or not given back. */
  readonly usedMb: number;
  /** Connections that are open. */
  readonly open: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const MB = 2 ** 20;

const config = readConfig();
const context = await openContext(config, {
  process: 'socks',
  prefix: process.env.REDIS_PREFIX!,
});
const server = await openSocksServer(context, config.proxies.socks!);
// The first stack that is read loads the source map, which is no memory of those who were there.
if (!new Error('of this file').stack?.includes('measured_server')) throw new Error('no source map');
const loop = monitorEventLoopDelay({ resolution: 10 });
loop.enable();
process.on('disconnect', () => process.exit(0));
process.on('message', () => {
  const stallMs = Math.round(loop.max / 1e6);
  const memoryMb = Math.round(process.memoryUsage.rss() / MB);
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const measured: Measured = {
    stallMs,
    memoryMb,
    usedMb: Math.round((heapUsed + external) / MB),
    open: server.countOpen(),
  };
  loop.reset();
  process.send!(measured);
});
process.send!({ port: server.port });
