import { randomBytes } from 'node:crypto';

import { liveTokens } from '../../../shared/domains/agents/sessions/sessions.ts';
import { changedKinds } from '../../../shared/domains/events/changed_kinds.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { lastAuditId } from '../../../shared/performing/audit_log.ts';
import { openTelling, type LivePage } from './change_notifier.ts';

/** Changes that pages of operators are notified of: kinds of events, and these. */
type OperatorKind = 'audit' | 'clock';

const LOOK_MS = 1_000;
/** Interval at which pages are redrawn for values without an event, such as waiting times. */
const CLOCK_MS = 10_000;
/** Every second look also asks which sessions have ended. */
const SESSIONS_EVERY = 2;
const TURN_MS = 100;
const SETTINGS = { perTurn: 1, pauseMs: 1_000, pauseMsMax: 8_000 };
const OPERATORS = 'operators';

interface WatchedPage extends LivePage {
  /** The root of its owner's tree; undefined: an operator, who is notified of everybody. */
  readonly rootId: number | undefined;
  readonly token: string;
  readonly sessionId: number;
  /** Ends the page's stream, because its session is over. */
  end(): void;
}

export interface Changes {
  /** Notifies this page of changes until the returned function is called. */
  watch(page: WatchedPage): () => void;
  /** The name of a look for browsers. Each process has its own names. */
  markOf(look: number): string;
  /** The look that a browser names; undefined: none of this process. */
  lookOf(mark: string): number | undefined;
  /** The latest look. Whatever is read from now on shows all changes that it found. */
  look(): number;
  /** Number of pages that this session has open in this process. */
  pagesOf(sessionId: number): number;
}

/**
 * Changes for people who have pages open. While any page is open, this process looks once a second
 * for all of them, by two statements; otherwise it asks nothing.
 */
export function openChanges({ database, log }: Context): Changes {
  const name = randomBytes(6).toString('hex');
  const telling = openTelling(SETTINGS);
  const watching = new Set<WatchedPage>();
  const ofSessions = new Map<number, number>();
  let timers: NodeJS.Timeout[] = [];
  let [looks, event, entry, clockAt] = [0, ...FRESH()];
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const trees = [...telling.holders()].filter((holder) => typeof holder === 'number');
      const isOfAll = [...telling.holders()].includes(OPERATORS);
      const found = await changedKinds(database, { trees, isOfAll, after: event });
      event = found.until;
      const told = isOfAll ? [...found.ofAll, ...(await ofOperators())] : [];
      looks += 1;
      telling.change(OPERATORS, told, looks);
      for (const [tree, kinds] of found.ofTrees) telling.change(tree, kinds, looks);
      if (looks % SESSIONS_EVERY === 0) await endExpiredSessions();
    } catch (error) {
      // While the database is away, nobody is notified, and sessions count as valid.
      log.warn({ err: error }, 'what changed cannot be looked for');
    } finally {
      isLooking = false;
    }
  }

  async function ofOperators(): Promise<OperatorKind[]> {
    const last = await lastAuditId(database);
    const told: OperatorKind[] = entry !== undefined && last > entry ? ['audit'] : [];
    entry = last;
    if (performance.now() - clockAt < CLOCK_MS) return told;
    clockAt = performance.now();
    return [...told, 'clock'];
  }

  async function endExpiredSessions(): Promise<void> {
    const asked = [...watching];
    const live = await liveTokens(database, [...new Set(asked.map(({ token }) => token))]);
    for (const one of asked) if (!live.has(one.token)) one.end();
  }

  function start(): void {
    [event, entry, clockAt] = FRESH();
    timers = [setInterval(() => void look(), LOOK_MS), setInterval(() => telling.turn(), TURN_MS)];
    void look();
  }

  return {
    watch(page) {
      const { rootId, sessionId } = page;
      const leave = telling.join(rootId ?? OPERATORS, page);
      watching.add(page);
      ofSessions.set(sessionId, (ofSessions.get(sessionId) ?? 0) + 1);
      if (watching.size === 1) start();
      return () => {
        if (!watching.delete(page)) return;
        leave();
        const left = ofSessions.get(sessionId)! - 1;
        if (left > 0) ofSessions.set(sessionId, left);
        else ofSessions.delete(sessionId);
        if (watching.size > 0) return;
        timers.forEach((timer) => clearInterval(timer));
      };
    },
    markOf: (number) => `${name}-${number}`,
    lookOf(mark) {
      const [, process, number] = /^([0-9a-f]{12})-(\d{1,12})$/.exec(mark) ?? [];
      return process === name ? Number(number) : undefined;
    },
    look: () => looks,
    pagesOf: (sessionId) => ofSessions.get(sessionId) ?? 0,
  };
}

const FRESH = (): [number | undefined, number | undefined, number] => [
  undefined,
  undefined,
  performance.now(),
];
