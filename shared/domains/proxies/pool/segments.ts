import { column, rows, type Database } from '../../../platform/rows.ts';
import { ON_SALE } from '../checks/states.ts';

/**
 * The proxies on sale of one country, or the hot ones, in the order of their positions. A position
 * is a random number below POSITIONS that a proxy gets whenever it comes on sale. Eight bytes a
 * proxy, so half a million cost a few megabytes, and a draw costs the same from any of them.
 */
export interface Segment extends Draws {
  /** The same with one proxy of each exit. */
  readonly distinct: Draws;
}

/** Proxies in the order of their positions. */
interface Draws {
  readonly ids: Int32Array;
  /** Positions, ascending; `positions[n]` is that of `ids[n]`. */
  readonly positions: Int32Array;
}

/** Upper bound of positions. */
export const POSITIONS = 2 ** 31 - 1;

const NONE: Draws = { ids: new Int32Array(), positions: new Int32Array() };
export const EMPTY: Segment = { ...NONE, distinct: NONE };
/** Proxies looked at before the event loop gets its turn. */
const AT_ONCE = 20_000;
/** Upper bound of indexes: an index and a position fit in the 53 bits of one number. */
const SEGMENT_MAX = 2 ** 22;

/** Ids, positions and exits as PostgreSQL's int4send and int8send make them, in one order. */
export interface PackedProxies {
  readonly ids: Buffer;
  readonly positions: Buffer;
  /** A number for each exit. */
  readonly exits: Buffer;
}

export async function segmentOf(packed: readonly PackedProxies[]): Promise<Segment> {
  const ids = Buffer.concat(packed.map((part) => part.ids));
  const positions = Buffer.concat(packed.map((part) => part.positions));
  const exits = Buffer.concat(packed.map((part) => part.exits));
  const size = Math.min(ids.length / 4, SEGMENT_MAX);
  const order = new Float64Array(size);
  for (let n = 0; n < size; n += 1) order[n] = positions.readInt32BE(4 * n) * SEGMENT_MAX + n;
  order.sort();
  const segment = { ids: new Int32Array(size), positions: new Int32Array(size) };
  const distinct = { ids: new Int32Array(size), positions: new Int32Array(size) };
  const seen = numberSet(size);
  let count = 0;
  for (let n = 0; n < size; n += 1) {
    const at = order[n]! % SEGMENT_MAX;
    segment.positions[n] = Math.floor(order[n]! / SEGMENT_MAX);
    segment.ids[n] = ids.readInt32BE(4 * at);
    if (seen.isNew(exits.readInt32BE(8 * at), exits.readInt32BE(8 * at + 4))) {
      distinct.ids[count] = segment.ids[n]!;
      distinct.positions[count] = segment.positions[n]!;
      count += 1;
    }
    if (n % AT_ONCE === AT_ONCE - 1) await new Promise(setImmediate);
  }
  return { ...segment, distinct: count === size ? segment : firstOf(distinct, count) };
}

/** A set of numbers of 64 bits, except 0. JavaScript's own takes six times as long to fill. */
function numberSet(size: number) {
  const mask = 2 ** Math.ceil(Math.log2(2 * size + 2)) - 1;
  const halves = new Int32Array(2 * (mask + 1));
  return {
    /** Adds a number, and says whether it was not there. */
    isNew(high: number, low: number): boolean {
      let at = (Math.imul(high, 0x9e3779b1) ^ Math.imul(low, 0x85ebca6b)) & mask;
      for (; halves[2 * at] !== 0 || halves[2 * at + 1] !== 0; at = (at + 1) & mask) {
        if (halves[2 * at] === high && halves[2 * at + 1] === low) return false;
      }
      halves[2 * at] = high;
      halves[2 * at + 1] = low;
      return true;
    },
  };
}

const firstOf = ({ ids, positions }: Draws, size: number): Draws => ({
  ids: ids.slice(0, size),
  positions: positions.slice(0, size),
});

/**
 * Draws up to `count` ids of a segment, each once: those after the position `from` and `skip` ids
 * more. After the end of the segment it continues at the start.
 */
export function draw(
  { ids, positions }: Draws,
  { from, skip, count }: { from: number; skip: number; count: number },
): number[] {
  const size = Math.min(count, Math.max(0, ids.length - skip));
  const start = indexOf(positions, from) + skip;
  return Array.from({ length: size }, (_, n) => ids[(start + n) % ids.length]!);
}

/** Draws ids from PostgreSQL, for a process that has not read the pool yet. Skips nothing. */
export async function drawFromTable(
  db: Database,
  country: string | undefined,
  { from, count }: { from: number; count: number },
): Promise<number[]> {
  const segment = country === undefined ? `state = 'hot'` : `country_code = $3`;
  const page = async (side: '>=' | '<', limit: number): Promise<number[]> => {
    const found = await rows(
      db,
      { id: column.id },
      `select id from proxy where ${ON_SALE} and ${segment} and position ${side} $1
        order by position limit $2`,
      [from, limit, ...(country === undefined ? [] : [country])],
    );
    return found.map(({ id }) => id);
  };
  const above = await page('>=', count);
  return above.length < count ? [...above, ...(await page('<', count - above.length))] : above;
}

/** The first index whose position is not below `from`. */
function indexOf(positions: Int32Array, from: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positions[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
