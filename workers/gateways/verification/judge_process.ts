import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** File of the program; in the bundle it is beside the worker (local/build.mjs). */
const PROGRAM = import.meta.url.endsWith('.ts') ? './judge.mjs' : './judge.js';

/** Memory limits of a judge. The whole process starts with about 15 MB. */
const LIMITS = ['--max-old-space-size=64', '--max-semi-space-size=16'];

/** Signals of a V8 process out of memory, by version of Node and processor. */
const OUT_OF_MEMORY: readonly unknown[] = ['SIGABRT', 'SIGTRAP', 'SIGILL'];

const STEP_MS = 50;
/** Maximum wait on a busy machine, as a multiple of the allowed CPU time. */
const WAIT_FACTOR = 5;
/** Unit of the times in /proc, on every Linux. */
const TICK_MS = 10;

/**
 * A process that answers one question at a time. Not a thread: on Node 22, a thread out of memory
 * ends the whole process.
 */
export interface JudgeProcess {
  /**
   * The answer; or the reason, if it took too much memory or longer than `ms`. Time is CPU time if
   * the system reports it (Linux), and otherwise time of the clock.
   */
  ask(question: object, ms: number): Promise<object | 'time' | 'memory'>;
}

/** Started with the first question, and again with the next one after it ended. */
export function openJudgeProcess(): JudgeProcess {
  let judge: Judge | undefined;

  return {
    async ask(question, ms) {
      if (!judge?.child.connected) judge = await startJudge();
      const { child } = judge;
      let isFit = false;
      try {
        const answer = await answerOf(judge, question, ms);
        isFit = typeof answer === 'object';
        return answer;
      } finally {
        if (!isFit) {
          judge = undefined;
          child.kill('SIGKILL');
        }
      }
    },
  };
}

interface Judge {
  readonly child: ChildProcess;
  /** Rejects if it ended for another reason than its memory limit. */
  readonly ended: Promise<'memory'>;
}

async function startJudge(): Promise<Judge> {
  const child = fork(fileURLToPath(new URL(PROGRAM, import.meta.url)), {
    // Its input was written by agents, so it sees no settings, which hold secrets.
    env: {},
    execArgv: LIMITS,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = endOf(child);
  ended.catch(() => undefined); // Nobody waits for it while it is idle.
  await Promise.race([messageOf(child), ended]);
  // An idle judge does not keep the worker alive.
  child.unref();
  child.channel!.unref();
  return { child, ended };
}

const messageOf = (child: ChildProcess) =>
  new Promise<object | 'time'>((resolve) => child.once('message', resolve));

async function endOf(child: ChildProcess): Promise<'memory'> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (OUT_OF_MEMORY.includes(signal)) return 'memory';
  throw new Error(`A process that judges results ended with ${signal ?? `exit code ${code}`}.`);
}

async function answerOf({ child, ended }: Judge, question: object, ms: number) {
  let timer: NodeJS.Timeout | undefined;
  const computedBefore = cpuMsOf(child);
  const isOver = (waited: number) =>
    waited >= ms * WAIT_FACTOR || cpuMsOf(child, waited) - computedBefore >= ms;
  // In steps, each of which counts once however late it is: while the worker stood still, the judge
  // may have too. An answer that came meanwhile is read before the time is checked.
  const timeout = new Promise<'time'>((resolve) => {
    const count = (waited: number) => {
      if (isOver(waited)) setImmediate(() => resolve('time'));
      else timer = setTimeout(count, STEP_MS, waited + STEP_MS);
    };
    count(0);
  });
  const answer = messageOf(child);
  // A failed write rejects by `ended`.
  child.send({ ...question, ms }, () => undefined);
  try {
    return await Promise.race([answer, timeout, ended]);
  } finally {
    clearTimeout(timer);
  }
}

/** CPU time so far, or `unknown` if the system does not report it. */
function cpuMsOf({ pid }: ChildProcess, unknown = 0): number {
  try {
    const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
    const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
    return (user + system) * TICK_MS;
  } catch {
    return unknown;
  }
}
