import type { DataSource, EntityManager } from 'typeorm';

import { FRESH_HOURS } from './states.ts';

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

/** Reading costs about a second for a million: of its time, a process spends a fiftieth on it. */
const PAUSE = 50;
const PAUSE_MS_MIN = 500;

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
  const startedAt = performance.now();
  kept.nextAt = Infinity; // One at a time.
  try {
    // As bytes: a number needs no parsing then.
    const rows: Row[] = await db.query(
      `select country_code, max(passed_at) as passed_at,
              string_agg(int4send(id), '' order by place, id) as ids,
              string_agg(int4send(place), '' order by place, id) as places
         from proxy where ${ON_SALE} group by country_code
        union all
       select null, null, string_agg(int4send(id), '' order by place, id),
              string_agg(int4send(place), '' order by place, id)
         from proxy where ${ON_SALE} and state = 'hot'`,
    );
    return (kept.pool = poolOfRows(rows));
  } finally {
    const endedAt = performance.now();
    kept.nextAt = endedAt + Math.max(PAUSE_MS_MIN, PAUSE * (endedAt - startedAt));
  }
}

interface Row {
  readonly country_code: string | null;
  readonly passed_at: Date | null;
  readonly ids: Buffer | null;
  readonly places: Buffer | null;
}

function poolOfRows(rows: readonly Row[]): Pool {
  const shelves = new Map(rows.map((row) => [row.country_code, shelfOf(row)]));
  const hot = shelves.get(null) ?? EMPTY;
  shelves.delete(null);
  const countries = shelves as Map<string, Shelf>;
  const times = rows.flatMap(({ passed_at: at }) => at?.getTime() ?? []);
  return {
    shelf: (country) => (country === undefined ? hot : (countries.get(country) ?? EMPTY)),
    total: [...countries.values()].reduce((sum, { ids }) => sum + ids.length, 0),
    countries,
    passedAt: times.length > 0 ? new Date(Math.max(...times)) : null,
  };
}

const EMPTY: Shelf = { ids: new Int32Array(), places: new Int32Array() };

const shelfOf = ({ ids, places }: Row): Shelf =>
  ids && places ? { ids: numbersOf(ids), places: numbersOf(places) } : EMPTY;

/** PostgreSQL sends the highest byte first. */
function numbersOf(bytes: Buffer): Int32Array {
  const numbers = new Int32Array(bytes.length / 4);
  for (let n = 0; n < numbers.length; n += 1) numbers[n] = bytes.readInt32BE(4 * n);
  return numbers;
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
    `(select id, place from proxy where ${ON_SALE} and ${shelf} and place ${side} $1
       order by place limit $2)`;
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
