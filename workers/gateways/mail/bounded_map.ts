/**
 * A Map of at most `max` entries. When it is full, the older half is dropped at once: dropping the
 * oldest entry each time would make the Map step over the holes of all dropped entries.
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
