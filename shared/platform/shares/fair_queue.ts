/** Whose something is: a tree of agents by the id of its root, or an address. */
export type Holder = number | string;

/** A queue in which holders take turns: one with many items delays another's only item by one. */
export interface FairQueue<T> {
  readonly size: number;
  push(holder: Holder, item: T): void;
  /** The oldest item of the holder whose turn it is, of those that may go on. */
  shift(mayGoOn?: (holder: Holder) => boolean): T | undefined;
  /** Removes the newest item of the holder who has most. */
  dropNewest(): T | undefined;
  /** Removes one that is in it. */
  remove(holder: Holder, item: T): void;
}

export function openFairQueue<T>(): FairQueue<T> {
  // The first holder's turn is next. Nobody is here without an item.
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
        queues.set(holder, queue); // Behind all others.
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
