/** Ways of asking that not every provider knows, which is learned: each can be asked otherwise. */
export interface Methods {
  /** Whether it was never refused, or so long ago that it is tried again. */
  takes(method: string): boolean;
  refused(method: string): void;
  /** Those that it does not take. */
  readonly unknown: readonly string[];
}

/** Plans change seldom, and each try costs a request. */
const AGAIN_MS = 6 * 3_600_000;

export function openMethods(now = () => performance.now()): Methods {
  const refusedAt = new Map<string, number>();
  const takes = (method: string) => now() - (refusedAt.get(method) ?? -Infinity) > AGAIN_MS;
  return {
    takes,
    refused: (method) => void refusedAt.set(method, now()),
    get unknown() {
      return [...refusedAt.keys()].filter((method) => !takes(method));
    },
  };
}
