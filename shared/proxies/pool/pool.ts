import type { DataSource, EntityManager } from 'typeorm';

import { FRESH_HOURS } from '../checks/states.ts';

/**
 * What is on sale, as this process last read it: ids by country and those of the hot pool, each in
 * the order of their places. Four bytes an id and four a place, so half a million cost a few
 * megabytes, and a draw costs the same from any of them. It may be a little old: whoever sells
 * looks at the rows again.
 */
export interface Pool {
  /** Those of a country, or of the hot pool. */
  shelf(country: string | undefined): Shelf;
  readonly total: number;
  readonly countries: ReadonlyMap<string, Shelf>;
  /** When one of them last passed its check; null: there is none. */
  readonly passedAt: Date | null;
}

export interface Shelf {
  readonly ids: Int32Array;
  /** Ascending; `places[n]` is that of `ids[n]`. */
  readonly places: Int32Array;
}

/** Places are below this. */
export const PLACES = 2 ** 31 - 1;

/** On sale, in SQL. */
export const ON_SALE = `state in ('hot', 'warm')
  and passed_at > now() - interval '${FRESH_HOURS} hours'`;

/**
 * Reading half a million takes a third of a second: once a minute, and small pools more often. By
 * its size and not by how long it took, most of which may have been waiting for a connection.
 */
const PAUSE_MS_A_PROXY = 0.12;
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 60_000;
/** What is put in order at a stretch, so that callers are answered in between. */
const STRETCH = 20_000;

interface Kept {
  pool?: Pool;
  /** The first reading, for those who cannot go on without it. */
  first?: Promise<Pool> | undefined;
  nextAt: number;
}

// Beside the connections of this process: what it knows of a database belongs to that database.
const known = new WeakMap<DataSource, Kept>();

/**
 * The pool as far as this process knows it, at once; undefined: it has not read it yet. Reads it
 * anew in the background when it is due.
 */
export function poolAtHand(database: DataSource): Pool | undefined {
  const kept = keptOf(database);
  if (performance.now() >= kept.nextAt) read(database, kept).catch(() => undefined);
  return kept.pool;
}

/**
 * The pool, read first if need be: by the caller's own connection, because others may all be taken
 * by those who wait for the same.
 */
export async function poolOf(db: EntityManager): Promise<Pool> {
  const kept = keptOf(db.dataSource);
  if (kept.pool) return poolAtHand(db.dataSource)!;
  kept.first ??= read(db, kept).finally(() => (kept.first = undefined));
  return kept.first;
}

function keptOf(database: DataSource): Kept {
  let kept = known.get(database);
  if (!kept) known.set(database, (kept = { nextAt: 0 }));
  return kept;
}

async function read(db: Pick<DataSource, 'query'>, kept: Kept): Promise<Pool> {
  kept.nextAt = Infinity; // One at a time.
  try {
    // As bytes, which need no parsing. In order they would take PostgreSQL three times as long.
    const rows: Row[] = await db.query(
      `select country_code, state = 'hot' as hot, max(passed_at) as passed_at,
              string_agg(int4send(id), '') as ids, string_agg(int4send(sort_key), '') as places
         from proxy where ${ON_SALE} group by country_code, state`,
    );
    return (kept.pool = await poolOfRows(rows));
  } finally {
    const pauseMs = Math.max(PAUSE_MS_MIN, PAUSE_MS_A_PROXY * (kept.pool?.total ?? 0));
    kept.nextAt = performance.now() + Math.min(pauseMs, PAUSE_MS_MAX);
  }
}

interface Row {
  readonly country_code: string;
  readonly hot: boolean;
  readonly passed_at: Date;
  readonly ids: Buffer;
  readonly places: Buffer;
}

async function poolOfRows(rows: readonly Row[]): Promise<Pool> {
  const countries = new Map<string, Shelf>();
  let stretch = 0;
  for (const country of new Set(rows.map(({ country_code: code }) => code))) {
    const shelf = shelfOf(rows.filter(({ country_code: code }) => code === country));
    countries.set(country, shelf);
    stretch += shelf.ids.length;
    if (stretch < STRETCH) continue;
    stretch = 0;
    await new Promise(setImmediate);
  }
  const hot = shelfOf(rows.filter((row) => row.hot));
  const times = rows.map(({ passed_at: at }) => at.getTime());
  return {
    shelf: (country) => (country === undefined ? hot : (countries.get(country) ?? EMPTY)),
    total: [...countries.values()].reduce((sum, { ids }) => sum + ids.length, 0),
    countries,
    passedAt: times.length > 0 ? new Date(Math.max(...times)) : null,
  };
}

const EMPTY: Shelf = { ids: new Int32Array(), places: new Int32Array() };
/** Below it are the numbers that order a shelf; above them its places, and 53 bits hold both. */
const SHELF_MAX = 2 ** 22;

function shelfOf(rows: readonly Row[]): Shelf {
  const ids = Buffer.concat(rows.map((row) => row.ids));
  const places = Buffer.concat(rows.map((row) => row.places));
  const size = Math.min(ids.length / 4, SHELF_MAX);
  const order = new Float64Array(size);
  for (let n = 0; n < size; n += 1) order[n] = places.readInt32BE(4 * n) * SHELF_MAX + n;
  order.sort();
  const shelf = { ids: new Int32Array(size), places: new Int32Array(size) };
  for (let n = 0; n < size; n += 1) {
    shelf.places[n] = Math.floor(order[n]! / SHELF_MAX);
    shelf.ids[n] = ids.readInt32BE(4 * (order[n]! % SHELF_MAX));
  }
  return shelf;
}

/**
 * Up to `count` ids of a shelf, each once: those that follow the place `from`, behind `skip` of
 * them, and on from the start when the end is reached.
 */
export function draw(
  { ids, places }: Shelf,
  { from, skip, count }: { from: number; skip: number; count: number },
): number[] {
  const size = Math.min(count, Math.max(0, ids.length - skip));
  const start = indexOf(places, from) + skip;
  return Array.from({ length: size }, (_, n) => ids[(start + n) % ids.length]!);
}

/** The same from PostgreSQL, for a process that has not read the pool yet. Skips nothing. */
export async function drawFromTable(
  db: EntityManager,
  country: string | undefined,
  { from, count }: { from: number; count: number },
): Promise<number[]> {
  const shelf = country === undefined ? `state = 'hot'` : `country_code = $3`;
  const page = (side: string) =>
    `(select id, sort_key from proxy where ${ON_SALE} and ${shelf} and sort_key ${side} $1
       order by sort_key limit $2)`;
  const parameters = [from, count, ...(country === undefined ? [] : [country])];
  const above = await db.query(page('>='), parameters);
  const below =
    above.length < count
      ? await db.query(page('<'), [from, count - above.length, ...parameters.slice(2)])
      : [];
  return [...above, ...below].map(({ id }: { id: number }) => id);
}

/** The first index whose place is not below `from`. */
function indexOf(places: Int32Array, from: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
