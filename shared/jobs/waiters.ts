import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';

import type { Disconnect } from '../kernel/call.ts';
import { throttled, type Log } from '../platform/log.ts';
import { PREFIX, redisForListening } from '../platform/redis.ts';
import type { Holder } from '../platform/shares/fair_queue.ts';
import type { Pace } from '../platform/shares/pace.ts';
import { openShares } from '../platform/shares/shares.ts';
import { findJobAnswers } from './jobs.ts';
import type { JobAnswer } from '../kernel/terms/job_answer.ts';

/** Channel of the ids of ended jobs that were not pushed by the process that waits for them. */
export const ENDED_CHANNEL = `${PREFIX}:ended`;

const POLL_EVERY_MS = 250;
const WAITERS_MAX = 3_000;
/** Waiters of a tree per free one: alone it gets half of them. */
const PER_FREE = 1;

/**
 * The calls of this process that wait for the answers of jobs. Answers come on one Redis channel
 * per process; the ids of jobs pushed by something else (a child pushes its parent) come on a
 * shared channel. PostgreSQL is asked for lost answers every 250 ms. Waiting never changes
 * anything: a caller that stops waiting finds the answer by polling.
 */
export interface Waiters {
  /** Channel of the answers for this process. */
  readonly channel: string;
  /** Begins to wait. Call it before the job is pushed, or a fast answer is missed. */
  waitFor(jobId: string, wait: Wait): Waiter;
  /** Ends all waiting with null: the process is about to stop. */
  close(): void;
}

/** Conditions of a wait: its time, its holder, and the caller's disconnection. */
export interface Wait {
  readonly waitMs: number;
  readonly disconnect?: Disconnect | undefined;
  /** The holder whose share of the waiters it uses. Absent: the process itself waits. */
  readonly holder?: Holder;
  /** Wait for the end only: the caller knows that the job is deferred. */
  readonly untilEnd?: boolean;
}

/** One caller that waits for one job. */
export interface Waiter {
  /**
   * Null when the time is up, the caller has disconnected, its share of the waiters is used up
   * (which it is told at its pace) or `stop` was called.
   */
  readonly answer: Promise<JobAnswer | null>;
  stop(): void;
}

const NOT_WAITING: Waiter = { answer: Promise.resolve(null), stop: () => undefined };

export function openWaiters(
  database: DataSource,
  redisUrl: string,
  log: Log,
  { refusals, waitersMax = WAITERS_MAX }: { refusals?: Pace; waitersMax?: number } = {},
): Waiters {
  const channel = `${PREFIX}:answers:${randomUUID()}`;
  const waiters = new Map<string, Set<(answer: JobAnswer | null) => void>>();
  const subscriber = redisForListening(redisUrl, log);
  const shares = openShares(waitersMax, PER_FREE);
  const warn = throttled(log);
  let closed = false;
  let polling = false;

  const deliver = (answer: JobAnswer) =>
    waiters.get(answer.id)?.forEach((resolve) => resolve(answer));

  // ioredis subscribes again whenever the connection comes back.
  subscriber.subscribe(channel, ENDED_CHANNEL).catch((error: unknown) => {
    if (!closed) warn('no answers come from Redis; PostgreSQL is asked instead', error);
  });
  subscriber.on('message', (from, text) => {
    if (from === channel) (JSON.parse(text) as JobAnswer[]).forEach(deliver);
    else void lookUp((JSON.parse(text) as string[]).filter((id) => waiters.has(id)));
  });

  async function lookUp(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await findJobAnswers(database, ids).then(
      (answers) => answers.forEach(deliver),
      (error: unknown) => warn('the answers of jobs cannot be looked up', error),
    );
  }
  async function poll(): Promise<void> {
    if (polling) return;
    polling = true;
    await lookUp([...waiters.keys()]);
    polling = false;
  }
  const timer = setInterval(() => void poll(), POLL_EVERY_MS);

  return {
    channel,
    waitFor(jobId, { waitMs, disconnect, holder, untilEnd = false }) {
      if (closed || waitMs === 0 || disconnect?.aborted) return NOT_WAITING;
      if (holder !== undefined && !shares.acquire(holder)) {
        const answer = refusals?.wait(holder, waitMs).then(() => null);
        return answer ? { ...NOT_WAITING, answer } : NOT_WAITING;
      }
      let settle!: (answer: JobAnswer | null) => void;
      const answer = new Promise<JobAnswer | null>((resolve) => {
        settle = (result) => {
          if (untilEnd && result?.status === 'pending') return;
          clearTimeout(timeout);
          disconnect?.removeEventListener('abort', stop);
          const others = waiters.get(jobId);
          if (!others?.delete(settle)) return; // Already settled.
          if (others.size === 0) waiters.delete(jobId);
          if (holder !== undefined) shares.release(holder);
          resolve(result);
        };
      });
      const stop = (): void => settle(null);
      const timeout = setTimeout(stop, waitMs);
      disconnect?.addEventListener('abort', stop);
      waiters.set(jobId, (waiters.get(jobId) ?? new Set()).add(settle));
      return { answer, stop };
    },
    close() {
      closed = true;
      clearInterval(timer);
      for (const group of waiters.values()) for (const settle of group) settle(null);
      subscriber.disconnect();
    },
  };
}
