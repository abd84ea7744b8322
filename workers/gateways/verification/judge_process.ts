import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** In the bundle it is beside the program (local/build.mjs). */
const PROGRAM = import.meta.url.endsWith('.ts') ? './judge.mjs' : './judge.js';

/** What a judge may take before it ends itself; the whole of it starts with about 15 MB. */
const LIMITS = ['--max-old-space-size=64', '--max-semi-space-size=16'];

/** How V8 ends a process that is out of memory, by the version of Node and the processor. */
const OUT_OF_MEMORY: readonly unknown[] = ['SIGABRT', 'SIGTRAP', 'SIGILL'];

const STEP_MS = 50;
/** On a machine that has no time for it, a judge waits so many times longer than it may compute. */
const WAIT_FACTOR = 5;
/** Of the times in /proc, on every Linux. */
const TICK_MS = 10;

/**
 * A process that answers one question at a time. Not a thread: what is out of memory in a thread
 * ends the whole process on Node 22.
 */
export interface JudgeProcess {
  /**
   * The answer; or, if it took more memory than there is or longer than `ms`, the reason. The time
   * is that of the processor where the system tells it (Linux), and else of the clock.
   */
  ask(question: object, ms: number): Promise<object | 'time' | 'memory'>;
}

/** It is started with the first question, and anew with the next one after it ended. */
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
  /** Rejects when it ended for another reason than its limit of memory. */
  readonly ended: Promise<'memory'>;
}

async function startJudge(): Promise<Judge> {
  const child = fork(fileURLToPath(new URL(PROGRAM, import.meta.url)), {
    // What it judges was written by agents: it sees nothing of the settings, which hold secrets.
    env: {},
    execArgv: LIMITS,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = endOf(child);
  ended.catch(() => undefined); // Of one that is idle nobody waits for it.
  await Promise.race([messageOf(child), ended]);
  // An idle one does not keep the worker.
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
  // In steps, each of which counts once however late it is: while the worker stood still, so may
  // the judge have. An answer that came meanwhile is read before the time is looked at.
  const timeout = new Promise<'time'>((resolve) => {
    const count = (waited: number) => {
      if (isOver(waited)) setImmediate(() => resolve('time'));
      else timer = setTimeout(count, STEP_MS, waited + STEP_MS);
    };
    count(0);
  });
  const answer = messageOf(child);
  // What could not be written rejects by `ended`.
  child.send({ ...question, ms }, () => undefined);
  try {
    return await Promise.race([answer, timeout, ended]);
  } finally {
    clearTimeout(timer);
  }
}

/** What it has computed so far, or `unknown` where the system does not tell. */
function cpuMsOf({ pid }: ChildProcess, unknown = 0): number {
  try {
    const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
    const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
    return (user + system) * TICK_MS;
  } catch {
    return unknown;
  }
}
