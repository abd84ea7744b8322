import { availableParallelism } from 'node:os';

import type { FileResult } from './lanes/lane_process.ts';

export interface Progress {
  begin(file: string): void;
  end(result: FileResult): void;
  /** Removes the line that moves. */
  clear(): void;
}

/** Files of which each has a line of its own. */
const FEW = 40;
const QUIET_MS_MAX = 30_000;

/**
 * The progress of a run: on a terminal a moving line; elsewhere a line for each of few files or
 * each tenth of many, and one where nothing has ended for half a minute. A file that failed is
 * shown at once, with its failures.
 */
export function openProgress(
  files: number,
  output: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>,
  { quietMsMax = QUIET_MS_MAX } = {},
): Progress {
  const startedAt = performance.now();
  const running = new Set<string>();
  const steps = files <= FEW ? files : 10;
  let [done, passed, failed, step] = [0, 0, 0, 0];

  const line = () => {
    const ms = performance.now() - startedAt;
    const left = done === 0 ? '' : `, ${formatMs((ms / done) * (files - done))} left`;
    const failures = failed === 0 ? '' : `, ${failed} failed`;
    return `${done} of ${files} files, ${passed} tests passed${failures}${left}`;
  };
  const lineWithNames = () => {
    const names = [...running].map((file) => file.replace(/^test\/|\.test\.ts$/g, ''));
    return `${line()}: ${names.join(', ')}`;
  };
  const reminder = output.isTTY
    ? undefined
    : setInterval(() => output.write(`${lineWithNames()}\n`), quietMsMax).unref();
  const clear = () => {
    clearInterval(reminder);
    if (output.isTTY) output.write('\r\u001b[2K');
  };
  const draw = () => {
    if (output.isTTY) {
      clear();
      output.write(lineWithNames().slice(0, output.columns - 1));
    } else if (Math.floor((done * steps) / files) > step) {
      step = Math.floor((done * steps) / files);
      output.write(`${line()}\n`);
      reminder?.refresh();
    }
  };

  return {
    begin(file) {
      running.add(file);
      if (output.isTTY) draw();
    },
    end(result) {
      running.delete(result.file);
      done += 1;
      passed += result.passed;
      failed += result.failed.length;
      if (result.failures) {
        if (output.isTTY) clear();
        output.write(`\n${result.file}\n${result.failures}\n`);
      }
      draw();
    },
    clear,
  };
}

/** `4 min 5 s`. */
export function formatMs(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * How many files run at the same time: tests wait for servers and timers, so on a machine of full
 * speed half as many more than there are cores. On a slow one everything computes.
 */
export function lanesFor(slowness: number): number {
  const cores = availableParallelism();
  return slowness > 2 ? cores : Math.ceil(cores * 1.5);
}
