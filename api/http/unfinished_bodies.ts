import type { Holder } from '../../shared/platform/shares/fair_queue.ts';

/** The bodies that have begun and are not complete, with a limit on the bytes of all together. */
export interface UnfinishedBodies {
  /** `drop` is called when the body is given up, so that others can go on. */
  begin(holder: Holder, drop: () => void): UnfinishedBody;
}

export interface UnfinishedBody {
  /** These bytes of it are in memory now. */
  hold(bytes: number): void;
  /** It is complete, or its bytes are in memory no more. */
  end(): void;
}

interface Entry {
  readonly holder: Holder;
  readonly drop: () => void;
  bytes: number;
}

/**
 * When the bytes are too many, the holder with most loses its largest body, the oldest of several.
 * So whoever holds many, or large ones, stops nobody but itself.
 */
export function openUnfinishedBodies(bytesMax: number): UnfinishedBodies {
  const entries = new Set<Entry>(); // The oldest first.
  let bytes = 0;

  function end(entry: Entry): void {
    if (entries.delete(entry)) bytes -= entry.bytes;
  }

  function largestOfHolderWithMost(): Entry {
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
            const dropped = largestOfHolderWithMost();
            end(dropped);
            dropped.drop();
          }
        },
        end: () => end(entry),
      };
    },
  };
}
