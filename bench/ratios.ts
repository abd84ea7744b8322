import { median, quantile, totalCpu, type Slice } from './measure/statistics.ts';

export type Results = ReadonlyMap<Name, readonly Slice[]>;
export type Name = keyof typeof NAMES;

interface Ratio {
  readonly number: number | string;
  readonly says: string;
  readonly floor: number;
  readonly goal: number;
  /** Of one round. */
  readonly of: (slice: (name: Name) => Slice) => number;
}

/** What is measured, by a short name. */
export const NAMES = {
  raw: 'raw SQL, 64 a call',
  many: 'purchases, 256 callers',
  bull: 'bare BullMQ, 256 callers',
  direct: 'no queue, 256 callers',
  oneSeller: 'purchases of one seller, 256',
  some: 'purchases, 64 callers',
  idle: 'purchases, 1 caller',
  idleBull: 'bare BullMQ, 1 caller',
  rest: 'reads by REST, 64 callers',
  mcp: 'reads by MCP, 64 callers',
  bareHttp: 'bare HTTP, 256 callers',
  mx: 'bare MX look-ups, 100 in flight',
  mail: 'email validations, new domains',
  mailKnown: 'email validations, known domains',
  few: 'lists of 100 of 10 000 proxies',
  lots: 'lists of 100 of 540 315',
  bareCheck: 'bare requests through proxies',
  check: 'proxy checks, stored',
} as const;

export const RATIOS: readonly Ratio[] = [
  {
    number: 1,
    says: 'purchases/s at 256 callers / raw SQL',
    floor: 0.4,
    goal: 0.6,
    of: (slice) => slice('many').perSecond / slice('raw').perSecond,
  },
  {
    number: 2,
    says: '… / bare BullMQ round trips',
    floor: 0.8,
    goal: 1.25,
    of: (slice) => slice('many').perSecond / slice('bull').perSecond,
  },
  {
    number: 3,
    says: '… / one SQL call a request, no queue',
    floor: 2,
    goal: 3,
    of: (slice) => slice('many').perSecond / slice('direct').perSecond,
  },
  {
    number: 4,
    says: 'p50 of one caller / of a bare BullMQ round trip',
    floor: 4.5,
    goal: 3,
    of: (slice) => slice('idle').p50 / slice('idleBull').p50,
  },
  {
    number: 5,
    says: 'p99 / p50 at 64 callers',
    floor: 2.5,
    goal: 2,
    of: (slice) => slice('some').p99 / slice('some').p50,
  },
  {
    number: 6,
    says: 'purchases/s of one seller / of a hundred',
    floor: 0.85,
    goal: 0.95,
    of: (slice) => slice('oneSeller').perSecond / slice('many').perSecond,
  },
  {
    number: 8,
    says: 'API CPU a purchase / bare HTTP CPU a request',
    floor: 5.5,
    goal: 4,
    of: (slice) => slice('many').cpu.api! / slice('bareHttp').cpu.api!,
  },
  {
    number: 9,
    says: 'CPU a purchase, all processes / raw SQL',
    floor: 2.4,
    goal: 1.6,
    of: (slice) => totalCpu(slice('many')) / totalCpu(slice('raw')),
  },
  {
    number: 10,
    says: 'CPU a list of 100 proxies, of 540 315 / of 10 000',
    floor: 2,
    goal: 1.2,
    of: (slice) => totalCpu(slice('lots')) / totalCpu(slice('few')),
  },
  {
    number: 11,
    says: 'proxy checks a CPU second / bare requests through proxies',
    floor: 0.7,
    goal: 0.9,
    of: (slice) => totalCpu(slice('bareCheck')) / totalCpu(slice('check')),
  },
  {
    number: 12,
    says: 'email validations/s of new domains / bare MX look-ups',
    floor: 0.5,
    goal: 0.8,
    of: (slice) => slice('mail').perSecond / slice('mx').perSecond,
  },
  {
    number: '12b',
    says: '… of known domains / of new ones',
    floor: 2,
    goal: 5,
    of: (slice) => slice('mailKnown').perSecond / slice('mail').perSecond,
  },
  {
    number: 13,
    says: 'MCP tool calls/s / REST, the same read',
    floor: 0.3,
    goal: 0.6,
    of: (slice) => slice('mcp').perSecond / slice('rest').perSecond,
  },
];

/** Each round compares its own measurements: what slows the machine slows both sides. */
export function valuesOf({ of }: Ratio, results: Results): number[] {
  const rounds = Math.min(...[...results.values()].map((slices) => slices.length));
  return Array.from({ length: rounds }, (_, round) => of((name) => results.get(name)![round]!));
}

/** The result as JSON, for programs. */
export function lineOf(results: Results): string {
  const ratios = RATIOS.map((ratio) => [
    String(ratio.number),
    Number(median(valuesOf(ratio, results)).toPrecision(3)),
  ]);
  return JSON.stringify({ ratios: Object.fromEntries(ratios) });
}

/** Whether a ratio reaches its goal, its floor or neither. */
export function verdictOf({ floor, goal }: Ratio, values: readonly number[]): string {
  const value = quantile(values, 0.5);
  const reaches = (limit: number) => (goal > floor ? value >= limit : value <= limit);
  if (reaches(goal)) return 'goal';
  return reaches(floor) ? 'floor' : 'missed';
}
