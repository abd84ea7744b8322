import { quantile, totalCpu, type Slice } from './measure/statistics.ts';

export type Results = ReadonlyMap<Name, readonly Slice[]>;
export type Name = keyof typeof NAMES;

/** A ratio is to be high where its goal is above its floor, and low where it is below. */
export interface Limits {
  readonly floor: number;
  readonly goal: number;
}

export interface Ratio extends Limits {
  readonly number: number | string;
  readonly says: string;
  /** It divides what was measured `of` one side by what was measured of the other, in one round. */
  readonly of: Name;
  readonly to: Name;
  readonly by: Figure;
  /** Absent: the same figure of both. */
  readonly toBy?: Figure;
}

type Figure = (slice: Slice) => number;
const perSecond: Figure = (slice) => slice.perSecond;
const apiCpu: Figure = ({ cpu }) => cpu.api!;
const p50: Figure = (slice) => slice.p50;
const p99: Figure = (slice) => slice.p99;

/** What is measured, by a short name. */
export const NAMES = {
  raw: 'raw SQL, 64 a call',
  many: 'purchases, 256 callers',
  uncounted: 'purchases, 256 callers, calls not counted',
  bull: 'bare BullMQ, 256 callers',
  direct: 'no queue, 256 callers',
  spread: 'purchases and releases, a hundred sellers',
  oneSeller: 'purchases and releases, one seller',
  some: 'purchases, 64 callers',
  idle: 'purchases, 1 caller',
  idleBull: 'bare BullMQ, 1 caller',
  rest: 'reads by REST, 64 callers',
  mcp: 'reads by MCP, 64 callers',
  bareHttp: 'bare HTTP, 256 callers',
  mx: 'bare MX look-ups, 100 in flight, each from its own port',
  mail: 'email validations, new domains',
  mailKnown: 'email validations, known domains',
  few: 'lists of 100 of 10 000 proxies',
  lots: 'lists of 100 of 540 315',
  bareCheck: 'bare pairs of requests through proxies',
  check: 'proxy checks, stored',
  searchFew: 'searches among 10 000 products',
  searchLots: 'searches among 1 000 000',
  wallet: 'wallets without open orders',
  walletOfMany: 'wallets with 40 000 of them',
} as const;

export const RATIOS: readonly Ratio[] = [
  {
    number: 1,
    says: 'purchases/s at 256 callers / raw SQL',
    floor: 0.4,
    goal: 0.55,
    of: 'many',
    to: 'raw',
    by: perSecond,
  },
  {
    number: 2,
    says: 'CPU a bare BullMQ round trip / a purchase, all processes',
    floor: 0.5,
    goal: 0.65,
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
    says: 'p50 of one caller / of a bare BullMQ round trip',
    floor: 4.5,
    goal: 3.5,
    of: 'idle',
    to: 'idleBull',
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
    floor: 0.9,
    goal: 0.95,
    of: 'oneSeller',
    to: 'spread',
    by: perSecond,
  },
  {
    number: 8,
    says: 'API CPU a purchase / bare HTTP CPU a request',
    floor: 5.5,
    goal: 4.5,
    of: 'many',
    to: 'bareHttp',
    by: apiCpu,
  },
  {
    number: 9,
    says: 'CPU a purchase, all processes / raw SQL',
    floor: 2.2,
    goal: 1.8,
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
    floor: 0.4,
    goal: 0.7,
    of: 'mail',
    to: 'mx',
    by: perSecond,
  },
  {
    number: '12b',
    says: '… of known domains / of new ones',
    floor: 4,
    goal: 6,
    of: 'mailKnown',
    to: 'mail',
    by: perSecond,
  },
  {
    number: 13,
    says: 'MCP tool calls/s / REST, the same read',
    floor: 0.6,
    goal: 0.8,
    of: 'mcp',
    to: 'rest',
    by: perSecond,
  },
  {
    number: 14,
    says: 'p99 of 60 searches, among 1 000 000 products / 10 000',
    floor: 8,
    goal: 4,
    of: 'searchLots',
    to: 'searchFew',
    by: p99,
  },
  {
    number: 15,
    says: 'CPU a get_wallet, with 40 000 open orders / without',
    floor: 1.3,
    goal: 1.1,
    of: 'walletOfMany',
    to: 'wallet',
    by: totalCpu,
  },
  {
    number: 16,
    says: 'CPU a purchase at 64 callers / at 256',
    floor: 1.3,
    goal: 1.1,
    of: 'some',
    to: 'many',
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
];

/**
 * Each round compares its own measurements: what slows the machine slows both sides. Undefined: a
 * side was not measured.
 */
export function valuesOf({ of, to, by, toBy = by }: Ratio, results: Results): number[] | undefined {
  const [above, below] = [results.get(of), results.get(to)];
  if (!above || !below) return undefined;
  return above.map((slice, round) => by(slice) / toBy(below[round]!));
}

export type Verdict = 'goal' | 'floor' | 'unclear' | 'missed';

/**
 * A limit is reached when the worse quartile of the rounds reaches it, and missed when the better
 * one does not either. `unclear`: the floor is between them, so that more rounds must decide.
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
