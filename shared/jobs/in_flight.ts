import type { Waiter } from './waiters.ts';

/** Time without any answered batch after which the workers of an operation count as away. */
const NO_ANSWER_MS_MAX = 1_000;
/** Maximum time that a batch counts as in flight: a lost one is done again within seconds. */
export const IN_FLIGHT_MS_MAX = 10_000;
const WAIT_MS_MAX = 50;
const FEW_BATCHES = 6;

/** The batches of one operation that were pushed and are not answered yet. */
export interface InFlight {
  /** Resolves when the batch that `waiter` waits for is answered, or given up. */
  track(waiter: Waiter | undefined): Promise<void>;
  /**
   * Resolves when a batch no longer counts as in flight. That is when it is answered, because calls
   * that come meanwhile then form one batch, at a third of the cost for PostgreSQL. If only a few
   * are in flight, it is after a short time, or workers would be idle. If many are, workers have
   * enough to do, and further small batches would slow them down.
   */
  hold(end: Promise<void>): Promise<void>;
}

/**
 * Tracks the batches of one operation. It delays batches only while some are answered: calls that
 * come while workers are away are recorded at once, for their return.
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
