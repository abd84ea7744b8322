/** Caps concurrent work: beyond the cap it waits for a slot, in order, and not for ever. */
export interface Slots {
  /** Undefined: there is a slot at once. False: none came free in time. */
  acquire(): Promise<boolean> | undefined;
  release(): void;
}

export function openSlots(slotsMax: number, waitMs: number): Slots {
  const waiting = new Set<() => void>();
  let acquired = 0;
  return {
    acquire() {
      if (acquired < slotsMax) {
        acquired += 1;
        return undefined;
      }
      return new Promise((resolve) => {
        const proceed = () => {
          clearTimeout(timeUp);
          waiting.delete(proceed);
          resolve(true);
        };
        const timeUp = setTimeout(() => {
          waiting.delete(proceed);
          resolve(false);
        }, waitMs);
        waiting.add(proceed);
      });
    },
    release() {
      const [next] = waiting;
      if (next) next();
      else acquired -= 1;
    },
  };
}
