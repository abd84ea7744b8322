/**
 * Values by key, which can be changed as a trial: a `layer` sees all values of its table, and its
 * changes get into the table by `merge`. Values are never mutated, only replaced.
 */
export interface Table<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  /** Entries in the order in which they were first set. */
  entries(): [K, V][];
  /** Keys set or deleted in this layer. */
  changed(): K[];
  layer(): Table<K, V>;
  /** Merges into the table below this layer. */
  merge(): void;
}

export function openTable<K, V>(below?: Table<K, V>): Table<K, V> {
  const own = new Map<K, V | undefined>();
  const table: Table<K, V> = {
    get: (key) => (own.has(key) ? own.get(key) : below?.get(key)),
    set: (key, value) => void own.set(key, value),
    delete: (key) => void (below ? own.set(key, undefined) : own.delete(key)),
    entries() {
      const all = new Map<K, V | undefined>([...(below?.entries() ?? []), ...own]);
      return [...all].filter((entry): entry is [K, V] => entry[1] !== undefined);
    },
    changed: () => [...own.keys()],
    layer: () => openTable(table),
    merge() {
      for (const [key, value] of own) {
        if (value === undefined) below!.delete(key);
        else below!.set(key, value);
      }
      own.clear();
    },
  };
  return table;
}
