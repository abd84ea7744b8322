import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';

import type { Gone } from '../kernel/call.ts';
import { throttled, type Log } from '../platform/log.ts';
import { PREFIX, redisForListening } from '../platform/redis.ts';
import { findAnswered, type Answered } from './jobs.ts';

const LOOK_EVERY_MS = 250;
const WAITERS_MAX = 3_000;

/**
 * The requests of this process that wait for their jobs. Word comes by one Redis channel a process
 * and is answered as it is; a look into PostgreSQL every quarter of a second covers what was lost.
 * Waiting never changes anything: who stops waiting finds the answer by polling.
 */
export interface Waiting {
  /** Where workers send word to this process. */
  readonly channel: string;
  /** Takes a seat. Take it before the job is handed on, or a quick worker's word is missed. */
  for(id: string, waitMs: number, gone?: Gone): Seat;
  /** Lets everybody go at once, with null: the process is about to stop. */
  close(): void;
}

export interface Seat {
  /** Null when time is up, the caller has gone, too many wait already or `leave` was called. */
  readonly answer: Promise<Answered | null>;
  leave(): void;
}

const NO_SEAT: Seat = { answer: Promise.resolve(null), leave: () => undefined };

export function openWaiting(database: DataSource, redisUrl: string, log: Log): Waiting {
  const channel = `${PREFIX}:answers:${randomUUID()}`;
  const waiters = new Map<string, Set<(answer: Answered | null) => void>>();
  const subscriber = redisForListening(redisUrl, log);
  const warn = throttled(log);
  let closed = false;
  let looking = false;

  const tell = (answer: Answered) => waiters.get(answer.id)?.forEach((wake) => wake(answer));

  // The channel is subscribed again by ioredis whenever the connection comes back.
  subscriber.subscribe(channel).catch((error: unknown) => {
    if (!closed) warn('answers are not heard from Redis; PostgreSQL is asked instead', error);
  });
  subscriber.on('message', (_channel, text) => (JSON.parse(text) as Answered[]).forEach(tell));

  async function look(): Promise<void> {
    if (looking || waiters.size === 0) return;
    looking = true;
    try {
      (await findAnswered(database, [...waiters.keys()])).forEach(tell);
    } catch (error) {
      warn('the answers of jobs cannot be looked up', error);
    } finally {
      looking = false;
    }
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);

  return {
    channel,
    for(id, waitMs, gone) {
      if (closed || waitMs === 0 || waiters.size >= WAITERS_MAX || gone?.aborted) return NO_SEAT;

      let wake!: (answer: Answered | null) => void;
      const answer = new Promise<Answered | null>((resolve) => {
        wake = (heard) => {
          clearTimeout(timeUp);
          gone?.removeEventListener('abort', leave);
          const others = waiters.get(id);
          others?.delete(wake);
          if (others?.size === 0) waiters.delete(id);
          resolve(heard);
        };
      });
      const leave = (): void => wake(null);
      const timeUp = setTimeout(leave, waitMs);
      gone?.addEventListener('abort', leave);
      waiters.set(id, (waiters.get(id) ?? new Set()).add(wake));
      return { answer, leave };
    },
    close() {
      closed = true;
      clearInterval(timer);
      for (const group of waiters.values()) for (const wake of group) wake(null);
      subscriber.disconnect();
    },
  };
}
