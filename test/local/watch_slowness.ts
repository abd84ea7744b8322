import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * How much longer than on an idle machine Node takes, at worst, to start and to write a word to
 * disk while a test runs: 1 there, more where other programs run or the machine stalls.
 */
export function watchSlowness(file: string) {
  let slowness = 1;
  let isOver = false;
  async function watch() {
    while (!isOver) {
      const from = performance.now();
      await once(spawn(process.execPath, ['-e', WRITE, file]), 'close');
      slowness = Math.max(slowness, (performance.now() - from) / NODE_MS);
    }
    return slowness;
  }
  const watched = watch();
  return () => {
    isOver = true;
    return watched;
  };
}
const WRITE = `const fs = require('node:fs');
  const file = fs.openSync(process.argv[1], 'w');
  fs.writeSync(file, 'a word');
  fs.fsyncSync(file);`;
const NODE_MS = 60;
