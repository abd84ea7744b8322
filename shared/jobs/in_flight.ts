import type { Waiter } from './waiters.ts';

/** When no batch of an operation was answered for so long, its workers seem to be away. */
const NO_ANSWER_MS_MAX = 1_000;
/** A batch that was lost is done again within seconds; after this time it counts no more. */
export const IN_FLIGHT_MS_MAX = 10_000;
const WAIT_MS_MAX = 50;
const FEW_BATCHES = 6;

/** The batches of one operation that were pushed and are not answered yet. */
export interface InFlight {
  /** Resolves when this batch is answered, for which `waiter` waits, or is given up. */
  track(waiter: Waiter | undefined): Promise<void>;
  /**
   * How long a batch counts as in flight: until it is answered, because the calls that come
   * meanwhile then go together, at a third of the price for PostgreSQL. Not for long, or workers
   * would wait for the next batch; but while many are in flight they have enough to do, and batches
   * that leave all the same are small and make them slower still.
   */
  hold(end: Promise<void>): Promise<void>;
}

/**
 * All of this holds only while any batch is answered: calls that come while workers are away are
 * recorded too, for when they are back.
 */
export function openInFlight(): InFlight {
  let batches = 0;
  let lastAnswerAt = 0;

  async function ended(answer: Waiter['answer']): Promise<void> {
    const pushedAt = performance.now();
    let isAnswered = false;
    void answer.then((given) => {
      isAnswered = true;
      if (given) lastAnswerAt = performance.now();
    });
    while (!isAnswered) {
      const until = Math.min(
        Math.max(pushedAt, lastAnswerAt) + NO_ANSWER_MS_MAX,
        pushedAt + IN_FLIGHT_MS_MAX,
      );
      const ms = until - performance.now();
      if (ms <= 0) return;
      await firstOf(answer, ms);
    }
  }

  return {
    async track(waiter) {
      if (!waiter) return;
      batches += 1;
      await ended(waiter.answer);
      waiter.stop();
      batches -= 1;
    },
    async hold(end) {
      await firstOf(end, WAIT_MS_MAX);
      if (batches > FEW_BATCHES) await end;
    },
  };
}

const firstOf = (end: Promise<unknown>, ms: number) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms).unref();
    void end.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
