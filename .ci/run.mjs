// Runs `npm test` and says in its last line how many tests passed and failed, by mocha's figures.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const npm = spawn('npm', ['test'], {
  cwd: dirname(dirname(fileURLToPath(import.meta.url))),
  stdio: ['ignore', 'pipe', 'inherit'],
});
let output = '';
npm.stdout.on('data', (data) => {
  output += data;
  process.stdout.write(data);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => npm.kill(signal));

npm.on('close', (code) => {
  const passed = figure('passing');
  // A failed check, or a run that never came to its tests, is a failure too.
  const failed = figure('failing') || (code === 0 ? 0 : 1);
  process.exitCode = code ?? 1;
  console.log(`${passed} passed, ${failed} failed`);
});

function figure(word) {
  const found = [...output.matchAll(new RegExp(`^\\W*(?:\\[\\d+m)?\\s*(\\d+) ${word}`, 'gm'))];
  return Number(found.at(-1)?.[1] ?? 0);
}
