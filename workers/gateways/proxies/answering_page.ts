/**
 * The first page that answers us without a proxy, looked for from one by chance on. What was found,
 * or that none answers, is believed for `keptMs`.
 */
export function openAnsweringPage<P>(
  urls: readonly string[],
  keptMs: number,
  look: (url: string) => Promise<P | undefined>,
) {
  let found: Promise<P | undefined> | undefined;
  let until = 0;

  async function find(): Promise<P | undefined> {
    const from = Math.floor(Math.random() * urls.length);
    for (const url of [...urls.slice(from), ...urls.slice(0, from)]) {
      const page = await look(url);
      if (page !== undefined) return page;
    }
    return undefined;
  }

  return {
    /** The page that answers us now; undefined: none does. */
    current: (): Promise<P | undefined> => {
      if (!found || performance.now() > until) {
        until = performance.now() + keptMs;
        found = find();
      }
      return found;
    },
    /** Has the next call look again. */
    forget: (): void => {
      until = 0;
    },
  };
}
