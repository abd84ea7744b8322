import { setTimeout as sleep } from 'node:timers/promises';

import { batcher } from '../../jobs/batcher.ts';
import type { Wait } from '../../jobs/waiters.ts';
import { throttled, type Log } from '../../platform/log.ts';
import { column, namesOf, rows, type Database, type Row } from '../../platform/rows.ts';
import { openShares } from '../../platform/shares/shares.ts';
import { isFor } from './event_reader.ts';
import type { NextEvent } from '../../kernel/terms/awaited.ts';
import { moveEventWatermark } from './watermark.ts';

const LOOK_EVERY_MS = 250;
/** Maximum events that one look reads; the next look continues there. */
const ROWS_MAX = 5_000;
const SETTLE_MS_MAX = 200;
const SETTLE_PAUSE_MS = 5;
const WAITERS_MAX = 3_000;
/** Waiters of a tree per free one: alone it gets half of them. */
const PER_FREE = 1;

/**
 * Reads new events for this process. While anybody waits it looks four times a second, once for all
 * that wait. While nobody waits it sends no query.
 */
export interface EventFeed {
  /**
   * Moves the watermark above all events committed before this call. A transaction that began
   * before them and still runs delays that: it is waited for at most SETTLE_MS_MAX.
   */
  settle(): Promise<void>;
  /**
   * Resolves when there is such an event, or when the time is up, the caller has disconnected, its
   * share of the waiters is used up or `close` was called.
   */
  waitFor(next: NextEvent, wait: Wait): Promise<void>;
  /** Ends all waiting: the process is about to stop. */
  close(): void;
}

interface Waiting extends NextEvent {
  /** No event for it has this id or a lower one, from `after` on. */
  seen: number;
  readonly resolve: () => void;
}

export function openEventFeed(
  database: Database,
  log: Log,
  { waitersMax = WAITERS_MAX, rowsMax = ROWS_MAX } = {},
): EventFeed {
  const waiting = new Set<Waiting>();
  const shares = openShares(waitersMax, PER_FREE);
  const warn = throttled(log);
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  let closed = false;

  // Shares one look among all callers at the same time.
  const settle = batcher<void, void>(
    async (calls) => {
      const giveUpAt = performance.now() + SETTLE_MS_MAX;
      const { drawn, ...first } = await moveEventWatermark(database);
      let { settled } = first;
      while (settled < drawn && performance.now() < giveUpAt) {
        await sleep(SETTLE_PAUSE_MS);
        ({ settled } = await moveEventWatermark(database));
      }
      return calls;
    },
    { size: 1_000, maxInFlight: 1 },
  );

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      const { settled } = await moveEventWatermark(database);
      // Later waiters are for the next look: they may have seen less than this one reads.
      const those = [...waiting];
      const seen = Math.min(...those.map((one) => one.seen));
      if (settled > seen) await deliver(those, { seen, settled });
    } catch (error) {
      warn('new events cannot be looked for', error);
    } finally {
      looking = false;
    }
  }

  async function deliver(
    those: readonly Waiting[],
    { seen, settled }: { seen: number; settled: number },
  ): Promise<void> {
    const found = await rows(database, FOUND_COLUMNS, FOUND, [seen, settled, rowsMax]);
    const until = found.length < rowsMax ? settled : found.at(-1)!.id;
    const byTree = new Map<number, Found[]>();
    for (const event of found) {
      const others = byTree.get(event.root_id);
      if (others) others.push(event);
      else byTree.set(event.root_id, [event]);
    }
    for (const one of those) {
      const ofTree = byTree.get(one.reader.rootId) ?? [];
      if (ofTree.some((event) => event.id > one.seen && isFor(one.reader, event))) one.resolve();
      else one.seen = Math.max(one.seen, until);
    }
  }

  return {
    settle,
    waitFor({ reader, after }, { waitMs, disconnect, holder }) {
      if (closed || waitMs === 0 || disconnect?.aborted) return Promise.resolve();
      if (holder !== undefined && !shares.acquire(holder)) return Promise.resolve();
      timer ??= setInterval(() => void look(), LOOK_EVERY_MS);
      return new Promise((resolve) => {
        const end = () => {
          if (!waiting.delete(one)) return; // Already ended.
          clearTimeout(timeout);
          disconnect?.removeEventListener('abort', end);
          if (holder !== undefined) shares.release(holder);
          if (waiting.size === 0) {
            clearInterval(timer);
            timer = undefined;
          }
          resolve();
        };
        const one: Waiting = { reader, after, seen: after, resolve: end };
        const timeout = setTimeout(end, waitMs);
        disconnect?.addEventListener('abort', end);
        waiting.add(one);
      });
    },
    close() {
      closed = true;
      for (const one of waiting) one.resolve();
    },
  };
}

const FOUND_COLUMNS = {
  id: column.id,
  agent_id: column.id,
  root_id: column.id,
  type: column.text,
  object_kind: column.text,
  object_id: column.id,
};
type Found = Row<typeof FOUND_COLUMNS>;
const FOUND = `select ${namesOf(FOUND_COLUMNS)} from event
                where id > $1 and id <= $2 order by id limit $3`;
