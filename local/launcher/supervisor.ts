import { setTimeout as sleep } from 'node:timers/promises';

/** Something that should always run: a server, or a process of the application. */
export interface Service {
  readonly name: string;
  /** It runs a program of this checkout. */
  readonly isBuilt?: true;
  pid(): number | undefined;
  /** Resolves when it is ready for use; rejects when it ended before that. */
  start(): Promise<void>;
  /** Resolves, with the reason, when what runs now has ended. */
  ended(): Promise<string>;
  stop(): Promise<void>;
}

/** Supervision of one service. */
export interface Supervision {
  /** Rejects when the service does not start at all. */
  readonly ready: Promise<void>;
  /** Ends what is built here, so that it starts again. Resolves when it has ended. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const STEADY_MS = 5_000;
const DELAY_MAX_MS = 1_000;
// A service that was never ready is more likely misconfigured than unlucky.
const FIRST_ATTEMPTS = 4;

/** Starts a service, and restarts it, at once, whenever it ends. */
export function supervise(service: Service, { isStarted = false } = {}): Supervision {
  const stopped = new AbortController();
  const { promise: ready, resolve, reject } = withResolvers();

  async function run() {
    let ends = 0;
    let wasReady = isStarted;
    if (isStarted) resolve();
    for (let first = true; !stopped.signal.aborted; first = false) {
      const since = Date.now();
      const reason = first && isStarted ? await service.ended() : await runOnce(service, onReady);
      if (stopped.signal.aborted) return;

      ends = Date.now() - since > STEADY_MS ? 1 : ends + 1;
      if (!wasReady && ends >= FIRST_ATTEMPTS) {
        return reject(new Error(`${service.name} does not start (${reason}).`));
      }
      const delayMs = ends === 1 ? 0 : Math.min(50 * 2 ** ends, DELAY_MAX_MS);
      console.log(`${service.name} ended (${reason}); starting it again.`);
      await sleep(delayMs, undefined, stopped).catch(() => undefined);
    }

    function onReady() {
      wasReady = true;
      resolve();
    }
  }
  const running = run();

  return {
    ready,
    async restart() {
      if (service.isBuilt) await service.stop();
    },
    async stop() {
      stopped.abort();
      await service.stop();
      await running;
    },
  };
}

/** From its start to its end, which may come before it is ready. */
async function runOnce(service: Service, onReady: () => void): Promise<string> {
  try {
    await service.start();
    console.log(`${service.name} runs as process ${service.pid()}.`);
    onReady();
    return await service.ended();
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
