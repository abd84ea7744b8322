import type { Connection } from './connection.ts';

/** Finds the connections that are held and hardly used. */
interface Movement {
  /** To be called at intervals, with all open connections. */
  look(open: Iterable<Connection>): void;
  /**
   * The idle connection that moved least, of the tree with the most connections. Only trees with
   * at least two more than this tree count. `onCredit`: only trees on credit count.
   */
  stillestFor(
    rootId: number,
    open: readonly Connection[],
    onCredit: boolean,
  ): Connection | undefined;
}

/** A connection is idle if it has moved fewer bytes than this in `stillMs`. */
const STILL_BYTES = 1_024;

interface Mark {
  readonly at: number;
  readonly bytes: number;
  /** Bytes moved in the period before; undefined: it has not been open for that long. */
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
