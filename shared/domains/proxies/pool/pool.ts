import type { DataSource, EntityManager } from 'typeorm';

import { column, rows, type Database } from '../../../platform/rows.ts';
import { ON_SALE } from '../checks/states.ts';
import { AgeCounts, type Freshness } from './freshness.ts';
import { EMPTY, segmentOf, type PackedProxies, type Segment } from './segments.ts';

/**
 * The proxies on sale, as this process last read them. The list may be a little old: a sale reads
 * the rows of its proxies again.
 */
export interface Pool {
  /** The proxies of a country; without one, the hot ones. */
  segment(country: string | undefined): Segment;
  readonly total: number;
  readonly countries: ReadonlyMap<string, Segment>;
  /** Number of hot proxies and freshness, by country. */
  readonly details: ReadonlyMap<string, CountryDetails>;
  /** Freshness of all proxies; null: there are none. */
  readonly freshness: Freshness | null;
  /** The last pass of any of them; null: there are none. */
  readonly passedAt: Date | null;
}

interface CountryDetails {
  readonly hot: number;
  readonly freshness: Freshness;
}

/**
 * Pause between two readings, by the size of the pool: half a million take a third of a second, so
 * once a minute. Not by the measured time, which may be mostly waiting for a connection.
 */
const PAUSE_MS_A_PROXY = 0.12;
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 60_000;
/** Proxies sorted before the event loop gets its turn, so that callers are answered. */
const SORTED_AT_ONCE = 20_000;

interface Cache {
  pool?: Pool;
  /** The first reading, for callers that need it. */
  first?: Promise<Pool> | undefined;
  nextAt: number;
}

// One cache a database: tests open several in one process.
const caches = new WeakMap<DataSource, Cache>();

/**
 * Returns the pool that this process has read, at once; undefined: it has not read one yet. Starts
 * a new reading in the background when it is due.
 */
export function cachedPool(database: DataSource): Pool | undefined {
  const cache = cacheOf(database);
  if (performance.now() >= cache.nextAt) read(database, cache).catch(() => undefined);
  return cache.pool;
}

/**
 * Returns the pool, and reads it first if needed: by the caller's own connection, because all
 * others may be taken by callers that wait for the same.
 */
export async function loadPool(db: EntityManager): Promise<Pool> {
  const cache = cacheOf(db.dataSource);
  if (cache.pool) return cachedPool(db.dataSource)!;
  cache.first ??= read(db, cache).finally(() => (cache.first = undefined));
  return cache.first;
}

function cacheOf(database: DataSource): Cache {
  let cache = caches.get(database);
  if (!cache) caches.set(database, (cache = { nextAt: 0 }));
  return cache;
}

const COLUMNS = {
  country_code: column.text,
  hot: column.boolean,
  passed_at: column.time,
  ids: column.bytes,
  positions: column.bytes,
  exits: column.bytes,
  ages: column.bytes,
};

async function read(db: Database, cache: Cache): Promise<Pool> {
  cache.nextAt = Infinity; // One at a time.
  try {
    // As bytes, which need no parsing. To sort them would take PostgreSQL three times as long. The
    // interface keeps ids below 2^31.
    const groups = await rows(
      db,
      COLUMNS,
      `select country_code, state = 'hot' as hot, max(passed_at) as passed_at,
              string_agg(int4send(id::int), '') as ids,
              string_agg(int4send(position), '') as positions,
              string_agg(int8send(coalesce(exit_key, -id)), '') as exits,
              string_agg(int4send(extract(epoch from now() - passed_at)::int), '') as ages
         from proxy where ${ON_SALE} group by country_code, state`,
    );
    return (cache.pool = await poolOf(groups));
  } finally {
    const pauseMs = Math.max(PAUSE_MS_MIN, PAUSE_MS_A_PROXY * (cache.pool?.total ?? 0));
    cache.nextAt = performance.now() + Math.min(pauseMs, PAUSE_MS_MAX);
  }
}

interface Group extends PackedProxies {
  readonly country_code: string;
  readonly hot: boolean;
  readonly passed_at: Date;
  readonly ages: Buffer;
}

async function poolOf(groups: readonly Group[]): Promise<Pool> {
  const countries = new Map<string, Segment>();
  const details = new Map<string, CountryDetails>();
  const allAges = new AgeCounts();
  let sorted = 0;
  for (const country of new Set(groups.map(({ country_code: code }) => code))) {
    const own = groups.filter(({ country_code: code }) => code === country);
    const segment = await segmentOf(own);
    countries.set(country, segment);
    details.set(country, detailsOf(own, allAges));
    sorted += segment.ids.length;
    if (sorted < SORTED_AT_ONCE) continue;
    sorted = 0;
    await new Promise(setImmediate);
  }
  const hot = await segmentOf(groups.filter((group) => group.hot));
  const times = groups.map(({ passed_at: at }) => at.getTime());
  return {
    segment: (country) => (country === undefined ? hot : (countries.get(country) ?? EMPTY)),
    total: [...countries.values()].reduce((sum, { ids }) => sum + ids.length, 0),
    countries,
    details,
    freshness: allAges.freshness(),
    passedAt: times.length > 0 ? new Date(Math.max(...times)) : null,
  };
}

/** The details of one country by its groups. Adds their ages to those of all countries. */
function detailsOf(groups: readonly Group[], allAges: AgeCounts): CountryDetails {
  const counts = new AgeCounts();
  for (const { ages } of groups) {
    counts.add(ages);
    allAges.add(ages);
  }
  const hot = groups.filter((group) => group.hot).reduce((sum, { ids }) => sum + ids.length / 4, 0);
  return { hot, freshness: counts.freshness()! };
}
