import type { HttpContext } from '../../api/http/routes.ts';
import type { WebSession } from '../../shared/agents/sessions/sessions.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { computedSoFar, restSince } from '../../shared/platform/shares/rest.ts';
import { openTurns } from '../../shared/platform/shares/turns.ts';
import type { Answered } from '../render.tsx';
import type { Changes } from './changes.ts';

/** Redraws at once in a process, and how many wait; of more, the browser asks again later. */
const AT_ONCE = 2;
const WAITING_MAX = 1_000;
/** What was read for one page of a session is there for its others for so long at most. */
const KEEP_MS = 20_000;

/** The header by which the script of a page says that no person asks, and of which look. */
export const REDRAW = 'x-redraw';

interface Kept {
  /** It shows all that this look has found. */
  readonly look: number;
  readonly answers: Promise<Answered>;
}

/**
 * Pages that fetch themselves again, which wait for calls of agents: one at a time of an owner, two
 * of all, and each rests for as long as the process has computed meanwhile. Pages of one session
 * that show the same share what is read for them: once for each look that has found a change.
 */
export interface Redraws {
  /** Runs `work` when it is its turn; `read` gives it the answers of the page. */
  run(
    ctx: HttpContext,
    page: { readonly session: WebSession; readonly url: string },
    work: (read: (fresh: () => Promise<Answered>) => Promise<Answered>) => Promise<void>,
  ): Promise<void>;
}

export function openRedraws(changes: Changes): Redraws {
  const turns = openTurns({ max: AT_ONCE, perFree: 1, waitingMax: WAITING_MAX, refuse });
  const kept = new Map<string, Kept>();

  /** The answers for this page of the session that show what the browser was told of. */
  function shared(session: WebSession, url: string, mark: string, fresh: () => Promise<Answered>) {
    const wanted = changes.lookOf(mark);
    if (wanted === undefined || changes.pagesOf(session.id) < 2) return fresh();
    const key = `${session.id} ${url}`;
    const before = kept.get(key);
    if (before && before.look >= wanted) return before.answers;
    const one: Kept = { look: changes.look(), answers: fresh() };
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
  new Refusal('service_unavailable', 'Too many pages are drawn again. Load this one again.');
