import { quantile, totalCpu, type Slice } from './measure/statistics.ts';
import type { Name } from './names.ts';

export type Results = ReadonlyMap<Name, readonly Slice[]>;

/** A ratio should be high if its goal is above its floor, and low if it is below. */
export interface Limits {
  readonly floor: number;
  readonly goal: number;
}

interface Ratio extends Limits {
  readonly number: number | string;
  readonly says: string;
  /** The side whose measurements are divided by those of the other side of the same round. */
  readonly of: Name;
  readonly to: Name;
  readonly by: Figure;
  /** Figure of the other side. Absent: the same figure. */
  readonly toBy?: Figure;
}

type Figure = (slice: Slice) => number;
const perSecond: Figure = (slice) => slice.perSecond;
const apiCpu: Figure = ({ cpu }) => cpu.api!;
const postgresCpu: Figure = ({ cpu }) => cpu.postgres!;
const p50: Figure = (slice) => slice.p50;
const p99: Figure = (slice) => slice.p99;

export const RATIOS: readonly Ratio[] = [
  {
    number: 1,
    says: 'purchases/s at 256 callers / the yardstick in SQL',
    floor: 0.22,
    goal: 0.31,
    of: 'many',
    to: 'raw',
    by: perSecond,
  },
  {
    number: 2,
    says: 'CPU a bare BullMQ round trip / a purchase, all processes',
    floor: 0.38,
    goal: 0.45,
    of: 'bull',
    to: 'many',
    by: totalCpu,
  },
  {
    number: 3,
    says: 'purchases/s / one SQL call a request, no queue',
    floor: 3,
    goal: 4.5,
    of: 'many',
    to: 'direct',
    by: perSecond,
  },
  {
    number: 4,
    says: 'p50 of one caller / of a bare BullMQ round trip with two durable commits',
    floor: 3,
    goal: 2,
    of: 'idle',
    to: 'idleDurable',
    by: p50,
  },
  {
    number: 5,
    says: 'p99 / p50 at 64 callers',
    floor: 2.5,
    goal: 1.8,
    of: 'some',
    to: 'some',
    by: p99,
    toBy: p50,
  },
  {
    number: 6,
    says: 'purchases and releases/s, one seller / a hundred',
    floor: 1,
    goal: 1.2,
    of: 'oneSeller',
    to: 'spread',
    by: perSecond,
  },
  {
    number: '6b',
    says: 'confirmations/s, one seller / a hundred',
    floor: 0.9,
    goal: 1.1,
    of: 'confirmsOfOne',
    to: 'confirms',
    by: perSecond,
  },
  {
    number: 8,
    says: 'API CPU a purchase / bare HTTP CPU a request',
    floor: 9,
    goal: 8,
    of: 'many',
    to: 'bareHttp',
    by: apiCpu,
  },
  {
    number: 9,
    says: 'CPU a purchase, all processes / the yardstick in SQL',
    floor: 3.7,
    goal: 3,
    of: 'many',
    to: 'raw',
    by: totalCpu,
  },
  {
    number: 10,
    says: 'CPU a list of 100 proxies, of 540 315 / of 10 000',
    floor: 1.5,
    goal: 1.2,
    of: 'lots',
    to: 'few',
    by: totalCpu,
  },
  {
    number: 11,
    says: 'proxy checks a CPU second / bare pairs of requests through proxies',
    floor: 1,
    goal: 1.5,
    of: 'bareCheck',
    to: 'check',
    by: totalCpu,
  },
  {
    number: 12,
    says: 'email validations/s of new domains / bare MX look-ups',
    floor: 0.25,
    goal: 0.3,
    of: 'mail',
    to: 'mx',
    by: perSecond,
  },
  {
    number: '12b',
    says: 'CPU an address of a known domain / a bare HTTP request',
    floor: 8.3,
    goal: 6.8,
    of: 'mailKnown',
    to: 'bareHttp',
    by: totalCpu,
  },
  {
    number: 13,
    says: 'MCP tool calls/s / REST, the same read',
    floor: 0.68,
    goal: 0.78,
    of: 'mcp',
    to: 'rest',
    by: perSecond,
  },
  {
    number: 14,
    says: 'p99 of 60 searches, among 1 000 000 products / 10 000',
    floor: 4,
    goal: 1.5,
    of: 'searchLots',
    to: 'searchFew',
    by: p99,
  },
  {
    number: 15,
    says: 'CPU a get_wallet, with 40 000 open orders / without',
    floor: 1.2,
    goal: 1.05,
    of: 'walletOfMany',
    to: 'wallet',
    by: totalCpu,
  },
  {
    number: 16,
    says: 'CPU a purchase at 64 callers / the yardstick in SQL',
    floor: 4.6,
    goal: 3.3,
    of: 'some',
    to: 'raw',
    by: totalCpu,
  },
  {
    number: 17,
    says: 'CPU a purchase, calls counted / not counted',
    floor: 1.05,
    goal: 1.02,
    of: 'many',
    to: 'uncounted',
    by: totalCpu,
  },
  {
    number: 18,
    says: 'PostgreSQL CPU a purchase, four API and four workers / one and one',
    floor: 1.5,
    goal: 1.2,
    of: 'byFour',
    to: 'many',
    by: postgresCpu,
  },
  {
    number: 20,
    says: 'CPU a page of the market / a list of as many products by REST',
    floor: 3,
    goal: 2,
    of: 'marketPage',
    to: 'products',
    by: totalCpu,
  },
];

/**
 * The ratios of all rounds. Each round compares its own measurements, because whatever slows the
 * machine slows both sides. Undefined: a side was not measured.
 */
export function valuesOf({ of, to, by, toBy = by }: Ratio, results: Results): number[] | undefined {
  const [above, below] = [results.get(of), results.get(to)];
  if (!above || !below) return undefined;
  return above.map((slice, round) => by(slice) / toBy(below[round]!));
}

type Verdict = 'goal' | 'floor' | 'unclear' | 'missed';

/**
 * A limit is reached if the worse quartile of the rounds reaches it, and missed if the better
 * quartile does not. `unclear`: the floor is between them, so that more rounds must decide.
 */
export function verdictOf({ floor, goal }: Limits, values: readonly number[]): Verdict {
  const isHigh = goal > floor;
  const [worse, better] = (isHigh ? [0.25, 0.75] : [0.75, 0.25]).map((q) =>
    quantile(values, q),
  ) as [number, number];
  const reaches = (value: number, limit: number) => (isHigh ? value >= limit : value <= limit);
  if (reaches(worse, goal)) return 'goal';
  if (reaches(worse, floor)) return 'floor';
  return reaches(better, floor) ? 'unclear' : 'missed';
}
