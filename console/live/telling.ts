import type { Holder } from '../../shared/platform/shares/fair_queue.ts';

/** A page that somebody has open and sees. */
export interface LivePage {
  /** The kinds of events that redraw it; undefined: all. */
  readonly kinds: ReadonlySet<string> | undefined;
  /** Tells it to fetch itself again. `look`: which one has found what changed. */
  tell(kinds: readonly string[], look: number): void;
}

export interface TellingSettings {
  /** Pages that are told in one turn, of all holders; of one holder it is one. */
  readonly perTurn: number;
  /** Between two times that the pages of a holder are told. */
  readonly pauseMs: number;
  /** It doubles up to this while things keep happening to the holder. */
  readonly pauseMsMax: number;
  readonly elapsedMs?: () => number;
}

/**
 * Tells pages of changes, few at a time, because each of them then costs a page that is read and
 * rendered. Pages of one holder (a tree of agents, or the operators) are told one after the other
 * of the same look, and of what happened meanwhile when all of them have been told and the pause
 * is over. So the first change is told at once, and what never rests costs a known rate.
 */
export interface Telling {
  /** Returns what takes the page out again. */
  join(holder: Holder, page: LivePage): () => void;
  /** Notes what has changed for a holder, as this look has found it. */
  change(holder: Holder, kinds: Iterable<string>, look: number): void;
  /** Tells those whose turn it is. */
  turn(): void;
  /** The holders that have pages. */
  holders(): Iterable<Holder>;
}

interface Told {
  readonly pages: Set<LivePage>;
  /** Not told yet, and which look has found them last. */
  kinds: Set<string>;
  look: number;
  /** Pages that are still to be told, and what of. */
  queue: LivePage[];
  now: { readonly kinds: ReadonlySet<string>; readonly look: number };
  pauseMs: number;
  nextAt: number;
}

export function openTelling({
  perTurn,
  pauseMs,
  pauseMsMax,
  elapsedMs = () => performance.now(),
}: TellingSettings): Telling {
  const all = new Map<Holder, Told>();
  /** Those with something to tell, in turn. */
  const active = new Set<Told>();

  function begin(one: Told, at: number): void {
    if (one.queue.length > 0 || one.kinds.size === 0 || at < one.nextAt) return;
    const isBusy = at - one.nextAt < one.pauseMs;
    one.pauseMs = isBusy ? Math.min(2 * one.pauseMs, pauseMsMax) : pauseMs;
    one.nextAt = at + one.pauseMs;
    one.now = { kinds: one.kinds, look: one.look };
    one.kinds = new Set();
    one.queue = [...one.pages].filter((page) => concerns(page, one.now.kinds).length > 0);
  }

  /** False: it has nobody to tell now. */
  function tellNext(one: Told, at: number): boolean {
    begin(one, at);
    for (let page = one.queue.shift(); page; page = one.queue.shift()) {
      if (!one.pages.has(page)) continue; // It was closed meanwhile.
      page.tell(concerns(page, one.now.kinds), one.now.look);
      return true;
    }
    if (one.kinds.size === 0) active.delete(one);
    return false;
  }

  return {
    join(holder, page) {
      const one = all.get(holder) ?? {
        pages: new Set(),
        kinds: new Set(),
        look: 0,
        queue: [],
        now: { kinds: new Set(), look: 0 },
        pauseMs,
        nextAt: -Infinity,
      };
      all.set(holder, one);
      one.pages.add(page);
      return () => {
        one.pages.delete(page);
        if (one.pages.size > 0 || all.get(holder) !== one) return;
        all.delete(holder);
        active.delete(one);
      };
    },
    change(holder, kinds, look) {
      const one = all.get(holder);
      if (!one) return;
      for (const kind of kinds) one.kinds.add(kind);
      one.look = look;
      if (one.kinds.size > 0) active.add(one);
    },
    turn() {
      const at = elapsedMs();
      let left = perTurn;
      // As they are now: those that are told go behind all others.
      const inTurn = Array.from(active);
      for (const one of inTurn) {
        if (left === 0) return;
        if (!tellNext(one, at)) continue;
        left -= 1;
        if (active.delete(one)) active.add(one);
      }
    },
    holders: () => all.keys(),
  };
}

const concerns = ({ kinds }: LivePage, changed: ReadonlySet<string>): string[] =>
  [...changed].filter((kind) => !kinds || kinds.has(kind));
