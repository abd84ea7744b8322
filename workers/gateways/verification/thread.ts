import { Worker } from 'node:worker_threads';

/** In the bundle it is beside the program (local/build.mjs). */
const PROGRAM = import.meta.url.endsWith('.ts') ? './judge.mjs' : './judge.js';

/** What a thread may take before it is ended; the whole of it starts with about 15 MB. */
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };

const STEP_MS = 50;

/** A thread that answers one question at a time. */
export interface Thread {
  /** The answer; or, if it took longer than `ms` or more memory than there is, the reason. */
  ask(question: object, ms: number): Promise<object | 'time' | 'memory'>;
}

/** It is started with the first question, and anew with the next one after it was ended. */
export function openThread(): Thread {
  let worker: Worker | undefined;

  async function start(): Promise<Worker> {
    // What it runs was written by agents: it sees nothing of the settings, which hold secrets.
    const started = new Worker(new URL(PROGRAM, import.meta.url), {
      env: {},
      execArgv: [],
      resourceLimits: LIMITS,
    });
    await nextMessage(started);
    started.on('error', () => undefined); // One that is idle must not end the process.
    started.unref();
    return started;
  }

  return {
    async ask(question, ms) {
      const current = (worker ??= await start());
      try {
        const answer = await answerOf(current, question, ms);
        if (typeof answer === 'object') return answer;
        worker = undefined;
        await current.terminate();
        return answer;
      } catch (error) {
        worker = undefined;
        throw error;
      }
    },
  };
}

/** The next message of a worker. Rejects with the fault that ended it. */
function nextMessage(worker: Worker): Promise<object> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: object) => {
      worker.off('error', onError);
      resolve(message);
    };
    const onError = (error: Error) => {
      worker.off('message', onMessage);
      reject(error);
    };
    worker.once('message', onMessage);
    worker.once('error', onError);
  });
}

async function answerOf(worker: Worker, question: object, ms: number) {
  let timer: NodeJS.Timeout | undefined;
  // In steps, each of which counts once however late it is: while the process stood still, so did
  // the thread. An answer that came meanwhile is read before the time is looked at.
  const timeout = new Promise<'time'>((resolve) => {
    const count = (left: number) => {
      if (left <= 0) setImmediate(() => resolve('time'));
      else timer = setTimeout(count, STEP_MS, left - STEP_MS);
    };
    count(ms);
  });
  const answer = nextMessage(worker);
  worker.postMessage(question);
  try {
    return await Promise.race([answer, timeout]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    return 'memory' as const;
  } finally {
    clearTimeout(timer);
  }
}
