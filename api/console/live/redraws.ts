import type { HttpContext } from '../../http/routes.ts';
import type { WebSession } from '../../../shared/domains/agents/sessions/sessions.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { computedSoFar, restSince } from '../../../shared/platform/shares/rest.ts';
import { openTurns } from '../../../shared/platform/shares/turns.ts';
import type { ReadAnswers } from '../render.tsx';
import type { Changes } from './changes.ts';

/** Redraws at once in a process; below, how many wait. Beyond that the browser asks again later. */
const AT_ONCE = 2;
const WAITING_MAX = 1_000;
/** Maximum age of answers that pages of one session share. */
const KEEP_MS = 20_000;

/** Header by which the script of a page says that this is a redraw, and for which look. */
export const REDRAW = 'x-redraw';

interface CachedAnswers {
  /** The answers show everything that this look found. */
  readonly look: number;
  readonly answers: Promise<ReadAnswers>;
}

/**
 * Redraws of pages, which wait for calls of agents: one at a time for each owner, two in all, and
 * each rests for as long as the process has computed meanwhile. Pages of one session that show the
 * same share their answers: they are read once for each look that found a change.
 */
export interface Redraws {
  /** Runs `work` in its turn; `read` gives it the answers of the page. */
  run(
    ctx: HttpContext,
    page: { readonly session: WebSession; readonly url: string },
    work: (read: (fresh: () => Promise<ReadAnswers>) => Promise<ReadAnswers>) => Promise<void>,
  ): Promise<void>;
}

export function openRedraws(changes: Changes): Redraws {
  const turns = openTurns({ max: AT_ONCE, perFree: 1, waitingMax: WAITING_MAX, refuse });
  const kept = new Map<string, CachedAnswers>();

  /** The answers for this page of the session that are as new as the look of the browser. */
  function shared(
    session: WebSession,
    url: string,
    mark: string,
    fresh: () => Promise<ReadAnswers>,
  ) {
    const wanted = changes.lookOf(mark);
    if (wanted === undefined || changes.pagesOf(session.id) < 2) return fresh();
    const key = `${session.id} ${url}`;
    const before = kept.get(key);
    if (before && before.look >= wanted) return before.answers;
    const one: CachedAnswers = { look: changes.look(), answers: fresh() };
    kept.set(key, one);
    const forget = () => {
      if (kept.get(key) === one) kept.delete(key);
    };
    one.answers.catch(forget);
    setTimeout(forget, KEEP_MS).unref();
    return one.answers;
  }

  return {
    run(ctx, { session, url }, work) {
      const { operator, rootId } = session.caller;
      const mark = ctx.get(REDRAW);
      return new Promise((resolve, reject) => {
        const turn = async () => {
          if (ctx.res.destroyed) return resolve();
          const since = computedSoFar();
          await work((fresh) => shared(session, url, mark, fresh)).then(resolve, reject);
          await restSince(since);
        };
        turns.run(operator ?? rootId, turn).catch(reject);
      });
    },
  };
}

const refuse = () =>
  new Refusal('service_unavailable', 'Too many pages reload at once. Reload this one later.');
