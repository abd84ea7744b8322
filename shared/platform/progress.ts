/** Whether work that repeats gets on: each kind of it by itself. */
export interface Progress {
  /** The work of a kind, as it was: its begin and its result are noted. */
  track<T>(kind: string, work: Promise<T>): Promise<T>;
  /** For how many ms some kind of work has waited without any result; 0: none waits. */
  stalledMs(): number;
}

export function openProgress(): Progress {
  /** When each piece began, the oldest first, and when the last one was done. */
  const kinds = new Map<string, { pending: Map<symbol, number>; doneAt: number }>();

  return {
    async track(kind, work) {
      let state = kinds.get(kind);
      if (!state) kinds.set(kind, (state = { pending: new Map(), doneAt: 0 }));
      const piece = Symbol(kind);
      state.pending.set(piece, performance.now());
      try {
        const result = await work;
        state.doneAt = performance.now();
        return result;
      } finally {
        state.pending.delete(piece);
      }
    },
    stalledMs() {
      const now = performance.now();
      return Math.max(
        0,
        ...[...kinds.values()].map(({ pending, doneAt }) => {
          const [beganAt = now] = pending.values();
          return now - Math.max(beganAt, doneAt);
        }),
      );
    },
  };
}
