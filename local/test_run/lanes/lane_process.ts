import { startWithWatchdog, type WatchedProcess } from '../../processes/watchdog.ts';
import { checkoutFolder } from '../../paths.ts';

/** A message of the parent to a lane (test/lane.ts): a file to run. */
export interface FileRequest {
  readonly file: string;
  /** Only tests whose full names match. */
  readonly grep?: string | undefined;
  /** Lists each test on the terminal while it runs. */
  readonly spec?: boolean | undefined;
}

/** The message that a lane sends back when the file has ended. */
export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly failed: readonly string[];
  /** The failures as mocha lists them. */
  readonly failures: string;
  /** Tests that failed beside others, where the file then passed alone. */
  readonly unstable?: readonly string[];
  readonly ms: number;
  readonly cpuMs: number;
  /** How many times slower the machine was than the one that limits were written for. */
  readonly slowness: number;
}

interface LaneOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The Node that runs it. */
  readonly node: string;
}

/** A process that runs one test file after the other. One that ended is replaced by a new one. */
export interface LaneProcess {
  run(request: FileRequest): Promise<FileResult>;
  stop(): Promise<void>;
}

export function openLaneProcess({ env, node }: LaneOptions): LaneProcess {
  let current: WatchedProcess | undefined;

  const start = () =>
    (current ??= startWithWatchdog(node, ARGUMENTS, {
      signal: 'TERM',
      output: 'inherit',
      channel: true,
      cwd: checkoutFolder,
      env,
    }));

  return {
    async run(request) {
      const lane = start();
      const result = new Promise<FileResult>((resolve) => lane.channel.once('message', resolve));
      lane.channel.send(request);
      const done = await Promise.race([result, lane.ended]);
      if (typeof done !== 'number') return done;
      current = undefined;
      return resultOfEnded(request.file, done);
    },
    async stop() {
      // A lane without a parent ends; if it computes, the watchdog ends it.
      current?.channel.disconnect();
      const forced = setTimeout(() => void current?.stop(), END_MS_MAX);
      await current?.ended;
      clearTimeout(forced);
    },
  };
}

const END_MS_MAX = 2_000;

const ARGUMENTS = [
  '--max-semi-space-size=64',
  '--import',
  './local/test_run/lanes/load_translated.mjs',
  'test/lane.ts',
];

/** Result for a file that ended its process, or that could not be loaded. */
function resultOfEnded(file: string, code: number): FileResult {
  const failures = `  ${file}\n     The process of the tests ended with exit code ${code}.\n`;
  const none = { passed: 0, ms: 0, cpuMs: 0, slowness: 1 };
  return { file, failed: [`${file} ended its process`], failures, ...none };
}
