import { monitorEventLoopDelay } from 'node:perf_hooks';

import { measureStalls } from '../../faults/stalls.ts';

// A worker that says, when it is asked, how long its event loop stalled since it was asked last,
// and how much memory it has had at most. What the machine itself stalled is told beside it.

export interface Measured {
  readonly stallMs: number;
  readonly machineMs: number;
  readonly rssMb: number;
}

const loop = monitorEventLoopDelay({ resolution: 5 });
loop.enable();
let machine = measureStalls();
let rss = 0;
setInterval(() => (rss = Math.max(rss, process.memoryUsage.rss())), 50).unref();

await import('../../faults/worker.ts');

process.on('message', (message) => {
  if (message !== 'measure') return;
  const measured: Measured = {
    stallMs: Math.round(loop.max / 1e6),
    machineMs: machine(),
    rssMb: Math.round(rss / 2 ** 20),
  };
  process.send?.(measured);
  loop.reset();
  machine = measureStalls();
  rss = 0;
});
