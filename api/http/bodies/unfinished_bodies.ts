import type { Holder } from '../../../shared/platform/shares/fair_queue.ts';

/** The bodies that have begun and are not complete, with a limit on the bytes of all together. */
interface UnfinishedBodies {
  /** `drop` is called when the body is given up, so that others can go on. */
  begin(holder: Holder, drop: () => void): UnfinishedBody;
}

interface UnfinishedBody {
  /** Adds bytes of it that are in memory now. */
  hold(bytes: number): void;
  /** Ends it: it is complete, or its bytes are no longer in memory. */
  end(): void;
}

interface Entry {
  readonly holder: Holder;
  readonly drop: () => void;
  bytes: number;
}

/**
 * When there are too many bytes, the holder with the most loses its largest body, and the oldest
 * of equal ones. So a holder of many or large bodies stops nobody but itself.
 */
export function openUnfinishedBodies(bytesMax: number): UnfinishedBodies {
  const entries = new Set<Entry>(); // Oldest first.
  let bytes = 0;

  function end(entry: Entry): void {
    if (entries.delete(entry)) bytes -= entry.bytes;
  }

  function largestBody(): Entry {
    const sums = new Map<Holder, number>();
    for (const entry of entries) {
      sums.set(entry.holder, (sums.get(entry.holder) ?? 0) + entry.bytes);
    }
    const most = Math.max(...sums.values());
    const [holder] = [...sums].find(([, sum]) => sum === most)!;
    const own = [...entries].filter((entry) => entry.holder === holder);
    return own.reduce((largest, entry) => (entry.bytes > largest.bytes ? entry : largest));
  }

  return {
    begin(holder, drop) {
      const entry = { holder, drop, bytes: 0 };
      entries.add(entry);
      return {
        hold(more) {
          if (!entries.has(entry)) return;
          entry.bytes += more;
          bytes += more;
          while (bytes > bytesMax) {
            const dropped = largestBody();
            end(dropped);
            dropped.drop();
          }
        },
        end: () => end(entry),
      };
    },
  };
}
