import { setTimeout as sleep } from 'node:timers/promises';

/** Time that is left to the others when enough have answered. */
const GRACE_MS = 1_000;
/** Time that nobody waits for a provider that was late, or has failed, beside enough others. */
const LATE_MS = 30_000;

/**
 * Asks several providers at once. It needs the answers of a quorum, and takes those of others that
 * come soon after. So one that hangs costs a second in half a minute, and stops nothing.
 */
export function openQuorum<P>(providers: readonly P[], quorum: number) {
  const now = () => performance.now();
  const lateUntil = new Map<P, number>();

  /** The answers, at least a quorum's. Throws if that many cannot be had, with all faults. */
  return async function answersOf<T>(ask: (provider: P) => Promise<T>): Promise<readonly T[]> {
    const answers = new Map<P, T>();
    const faults: string[] = [];
    const open = new Set(providers);
    const over = new AbortController();
    await new Promise<void>((resolve) => {
      let isEnding = false;
      const look = () => {
        const isPossible = answers.size + open.size >= quorum;
        const awaited = [...open].filter((one) => now() >= (lateUntil.get(one) ?? 0));
        if (!isPossible || open.size === 0) resolve();
        else if (answers.size >= quorum && awaited.length === 0) resolve();
        else if (answers.size >= quorum && !isEnding) {
          isEnding = true;
          sleep(GRACE_MS, undefined, { signal: over.signal }).then(resolve, () => undefined);
        }
      };
      if (open.size === 0) resolve();
      for (const provider of providers) {
        ask(provider)
          .then(
            (answer) => {
              answers.set(provider, answer);
              lateUntil.delete(provider);
            },
            (fault: Error) => {
              faults.push(fault.message);
              lateUntil.set(provider, now() + LATE_MS);
            },
          )
          .finally(() => open.delete(provider))
          .then(look, resolve);
      }
    });
    over.abort();
    if (answers.size < quorum || providers.length === 0) {
      const why = providers.length === 0 ? 'BASE_RPC_URLS names none' : faults.join('; ');
      throw new Error(`${Math.max(quorum, 1)} providers have to answer: ${why}`.slice(0, 500));
    }
    for (const late of open) lateUntil.set(late, now() + LATE_MS);
    return [...answers.values()];
  };
}

/** The one that at least a quorum says alike; undefined: there is none. */
export function sameOf<T>(
  said: readonly T[],
  quorum: number,
  textOf: (one: T) => string,
): T | undefined {
  const texts = said.map(textOf);
  return said.find((_one, at) => texts.filter((text) => text === texts[at]).length >= quorum);
}
