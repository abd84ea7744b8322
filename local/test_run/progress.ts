import { availableParallelism } from 'node:os';

import type { FileResult } from './lanes/lane_process.ts';

export interface Progress {
  begin(file: string): void;
  end(result: FileResult): void;
  /** Removes the line that moves. */
  clear(): void;
}

/**
 * The progress of a run: on a terminal a moving line, elsewhere one line for each tenth of the
 * files. A file that failed is shown at once, with its failures.
 */
export function openProgress(files: number, output: NodeJS.WriteStream): Progress {
  const startedAt = performance.now();
  const running = new Set<string>();
  let [done, passed, failed, tenths] = [0, 0, 0, 0];

  const line = () => {
    const ms = performance.now() - startedAt;
    const left = done === 0 ? '' : `, ${formatMs((ms / done) * (files - done))} left`;
    const failures = failed === 0 ? '' : `, ${failed} failed`;
    return `${done} of ${files} files, ${passed} tests passed${failures}${left}`;
  };
  const clear = () => void (output.isTTY && output.write('\r\u001b[2K'));
  const draw = () => {
    if (output.isTTY) {
      const names = [...running].map((file) => file.replace(/^test\/|\.test\.ts$/g, ''));
      const text = `${line()}: ${names.join(', ')}`;
      clear();
      output.write(text.slice(0, output.columns - 1));
    } else if (Math.floor((done * 10) / files) > tenths) {
      tenths = Math.floor((done * 10) / files);
      output.write(`${line()}\n`);
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
        clear();
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
