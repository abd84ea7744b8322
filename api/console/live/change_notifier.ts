import type { Holder } from '../../../shared/platform/shares/fair_queue.ts';

/** A page that somebody has open and sees. */
export interface LivePage {
  /** The kinds of events that redraw it; undefined: all. */
  readonly kinds: ReadonlySet<string> | undefined;
  /** Tells it to fetch itself again. `look`: the one that found the changes. */
  tell(kinds: readonly string[], look: number): void;
}

interface TellingSettings {
  /** Pages notified in one turn, over all holders; a holder gets one. */
  readonly perTurn: number;
  /** Pause between two notifications of a holder's pages. */
  readonly pauseMs: number;
  /** The pause doubles up to this while changes keep coming for the holder. */
  readonly pauseMsMax: number;
  readonly elapsedMs?: () => number;
}

/**
 * Notifies pages of changes, few at a time, because each notification costs a page that is read and
 * rendered. The pages of a holder (a tree of agents, or the operators) are notified one after the
 * other of the same look. Later changes follow when all of them have been notified and the pause is
 * over. So the first change arrives at once, and constant changes cost a known rate.
 */
interface ChangeNotifier {
  /** Adds a page. Returns a function that removes it. */
  join(holder: Holder, page: LivePage): () => void;
  /** Notes the changes that this look found for a holder. */
  change(holder: Holder, kinds: Iterable<string>, look: number): void;
  /** Notifies the pages whose turn it is. */
  turn(): void;
  /** The holders that have pages. */
  holders(): Iterable<Holder>;
}

interface HolderPages {
  readonly pages: Set<LivePage>;
  /** Kinds not notified yet, and the last look that found them. */
  kinds: Set<string>;
  look: number;
  /** Pages still to be notified, and the kinds for them. */
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
}: TellingSettings): ChangeNotifier {
  const all = new Map<Holder, HolderPages>();
  /** Holders with changes to notify, in turn. */
  const active = new Set<HolderPages>();

  function begin(one: HolderPages, at: number): void {
    if (one.queue.length > 0 || one.kinds.size === 0 || at < one.nextAt) return;
    const isBusy = at - one.nextAt < one.pauseMs;
    one.pauseMs = isBusy ? Math.min(2 * one.pauseMs, pauseMsMax) : pauseMs;
    one.nextAt = at + one.pauseMs;
    one.now = { kinds: one.kinds, look: one.look };
    one.kinds = new Set();
    one.queue = [...one.pages].filter((page) => concerns(page, one.now.kinds).length > 0);
  }

  /** False: this holder has nothing to notify now. */
  function tellNext(one: HolderPages, at: number): boolean {
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
      // A copy: holders that were notified move to the end.
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
