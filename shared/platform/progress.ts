/** Tells whether repeated work makes progress, for each kind of work separately. */
export interface Progress {
  /** Notes the start and the result of work of this kind, and returns it unchanged. */
  track<T>(kind: string, work: Promise<T>): Promise<T>;
  /** Longest time in ms that a kind of work has been pending without any result; 0: none is. */
  stalledMs(): number;
}

export function openProgress(): Progress {
  /** Start of each pending piece, oldest first, and the end of the last one, by kind. */
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
