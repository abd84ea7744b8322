/**
 * A Map of at most `max` entries: of those beyond half of it, the older half is dropped at once. To
 * drop the oldest one each time, a Map steps over the holes of all entries that were dropped
 * before.
 */
export function boundedMap<V>(max: number): Pick<Map<string, V>, 'get' | 'set'> {
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set(key, value) {
      if (young.size >= max / 2) [old, young] = [young, new Map()];
      return young.set(key, value);
    },
  };
}
