import { randomBytes } from 'node:crypto';

import { liveTokens } from '../../shared/agents/sessions/sessions.ts';
import { changedKinds } from '../../shared/events/changed_kinds.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { lastAuditId } from '../../shared/operators/audit_log.ts';
import { openTelling, type LivePage } from './telling.ts';

/** What pages of operators are told: kinds of events, and these. */
export type OperatorKind = 'audit' | 'clock';

const LOOK_MS = 1_000;
/** What no event tells of, such as how long things wait, is shown again as often. */
const CLOCK_MS = 10_000;
/** Of so many looks, one also asks which sessions are over. */
const SESSIONS_EVERY = 2;
const TURN_MS = 100;
const SETTINGS = { perTurn: 1, pauseMs: 1_000, pauseMsMax: 8_000 };
const OPERATORS = 'operators';

export interface Watching extends LivePage {
  /** The root of its owner's tree; undefined: an operator's, who is told of everybody. */
  readonly rootId: number | undefined;
  readonly token: string;
  readonly sessionId: number;
  /** Its session is over. */
  end(): void;
}

export interface Changes {
  /** Tells this page of what changes, until what this returns is called. */
  watch(page: Watching): () => void;
  /** Names a look to browsers. Each process has its own. */
  markOf(look: number): string;
  /** The look that a browser names; undefined: none of this process. */
  lookOf(mark: string): number | undefined;
  /** The latest. What is read from now on shows all that it has found. */
  look(): number;
  /** How many pages this session has open here. */
  pagesOf(sessionId: number): number;
}

/**
 * What changes for those who have pages open. While any is open, this process looks once a second
 * for all of them, by two statements; while none is, it asks nothing.
 */
export function openChanges({ database, log }: Context): Changes {
  const name = randomBytes(6).toString('hex');
  const telling = openTelling(SETTINGS);
  const watching = new Set<Watching>();
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
      if (looks % SESSIONS_EVERY === 0) await endThoseThatAreOver();
    } catch (error) {
      // While the database is away, nobody is told anything, and sessions count as valid.
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

  async function endThoseThatAreOver(): Promise<void> {
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
