/** The holder of a share: a tree of agents by the id of its root, or an address. */
export type Holder = number | string;

/** A queue in which holders take turns: a holder with many items delays another by one item. */
interface FairQueue<T> {
  readonly size: number;
  push(holder: Holder, item: T): void;
  /** Removes the oldest item of the next holder that may go on. */
  shift(mayGoOn?: (holder: Holder) => boolean): T | undefined;
  /** Removes the newest item of the holder with most items. */
  dropNewest(): T | undefined;
  /** Removes an item of the queue. */
  remove(holder: Holder, item: T): void;
}

export function openFairQueue<T>(): FairQueue<T> {
  // The first holder's turn is next. Holders without items are removed.
  const queues = new Map<Holder, T[]>();
  let size = 0;

  function removed(holder: Holder, queue: T[], item: T): T {
    size -= 1;
    if (queue.length === 0) queues.delete(holder);
    return item;
  }

  return {
    get size() {
      return size;
    },
    push(holder, item) {
      const queue = queues.get(holder);
      if (queue) queue.push(item);
      else queues.set(holder, [item]);
      size += 1;
    },
    shift(mayGoOn = () => true) {
      for (const [holder, queue] of queues) {
        if (!mayGoOn(holder)) continue;
        queues.delete(holder);
        queues.set(holder, queue); // At the end, behind all others.
        return removed(holder, queue, queue.shift()!);
      }
      return undefined;
    },
    dropNewest() {
      let most: [Holder, T[]] | undefined;
      for (const entry of queues) if (entry[1].length > (most?.[1].length ?? 0)) most = entry;
      return most && removed(...most, most[1].pop()!);
    },
    remove(holder, item) {
      const queue = queues.get(holder)!;
      queue.splice(queue.indexOf(item), 1);
      removed(holder, queue, item);
    },
  };
}
