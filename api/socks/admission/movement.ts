import type { Connection } from './connection.ts';

/** Finds the connections that hold a place and hardly use it. */
export interface Movement {
  /** To be called every now and then, with all that are open. */
  look(open: Iterable<Connection>): void;
  /**
   * Of the trees that have two connections more than this one at least, the one with most: of those
   * of its connections that hold still, the one that moved least. `onCredit`: of trees on credit.
   */
  stillestFor(
    rootId: number,
    open: readonly Connection[],
    onCredit: boolean,
  ): Connection | undefined;
}

/** A connection holds still that has moved fewer bytes in `stillMs`. */
const STILL_BYTES = 1_024;

interface Mark {
  readonly at: number;
  readonly bytes: number;
  /** How many in the time before; undefined: it has not been open for so long. */
  readonly moved: number | undefined;
}

export function openMovement(stillMs: number): Movement {
  const marks = new WeakMap<Connection, Mark>();

  function isStill(connection: Connection): boolean {
    const { moved = Infinity } = marks.get(connection) ?? {};
    return moved < STILL_BYTES;
  }

  return {
    look(open) {
      const at = performance.now();
      for (const connection of open) {
        const mark = marks.get(connection);
        if (mark && at - mark.at < stillMs) continue;
        const bytes = connection.bytes();
        marks.set(connection, { at, bytes, moved: mark && bytes - mark.bytes });
      }
    },
    stillestFor(rootId, open, onCredit) {
      const byTree = new Map<number, Connection[]>();
      for (const connection of open) {
        const { rootId: tree } = connection.owner.caller;
        const own = byTree.get(tree);
        if (own) own.push(connection);
        else byTree.set(tree, [connection]);
      }
      const least = (byTree.get(rootId)?.length ?? 0) + 2;
      const [most] = [...byTree.values()]
        .filter((own) => own.length >= least && (!onCredit || own[0]!.isOnCredit))
        .toSorted((a, b) => b.length - a.length)
        .map((own) => own.filter(isStill))
        .filter((still) => still.length > 0);
      return most?.toSorted((a, b) => marks.get(a)!.moved! - marks.get(b)!.moved!)[0];
    },
  };
}
