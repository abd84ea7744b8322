import { setTimeout as sleep } from 'node:timers/promises';

/** Something that should always run: a server, or a process of the application. */
export interface Part {
  readonly name: string;
  pid(): number | undefined;
  /** Resolves when it is ready for use; rejects when it ended before that. */
  start(): Promise<void>;
  /** Resolves, with the reason, when what runs now has ended. */
  ended(): Promise<string>;
  stop(): Promise<void>;
}

/** What keeps one part running. */
export interface Keeper {
  /** Rejects when the part cannot be brought up at all. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

const STEADY_MS = 5_000;
const DELAY_MAX_MS = 1_000;
// A part that never came up is more likely wrong than unlucky.
const FIRST_ATTEMPTS = 4;

/** Starts a part, and starts it again, at once, whenever it dies. */
export function keepRunning(part: Part, { isStarted = false } = {}): Keeper {
  const stopped = new AbortController();
  const { promise: ready, resolve, reject } = withResolvers();

  async function keep() {
    let deaths = 0;
    let wasReady = isStarted;
    if (isStarted) resolve();
    for (let first = true; !stopped.signal.aborted; first = false) {
      const since = Date.now();
      const reason = first && isStarted ? await part.ended() : await life(part, onReady);
      if (stopped.signal.aborted) return;

      deaths = Date.now() - since > STEADY_MS ? 1 : deaths + 1;
      if (!wasReady && deaths >= FIRST_ATTEMPTS) {
        return reject(new Error(`${part.name} does not start (${reason}).`));
      }
      const delayMs = deaths === 1 ? 0 : Math.min(50 * 2 ** deaths, DELAY_MAX_MS);
      console.log(`${part.name} ended (${reason}); starting it again.`);
      await sleep(delayMs, undefined, stopped).catch(() => undefined);
    }

    function onReady() {
      wasReady = true;
      resolve();
    }
  }
  const kept = keep();

  return {
    ready,
    async stop() {
      stopped.abort();
      await part.stop();
      await kept;
    },
  };
}

/** From its start to its end, which may come before it is ready. */
async function life(part: Part, onReady: () => void): Promise<string> {
  try {
    await part.start();
    console.log(`${part.name} runs as process ${part.pid()}.`);
    onReady();
    return await part.ended();
  } catch (error) {
    return (error as Error).message;
  }
}

// Promise.withResolvers comes with Node 22.
function withResolvers() {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
