import { scaledOf, textOf } from '../../../shared/domains/deposits/chain/decimal.ts';
import type { Price } from '../../../shared/domains/deposits/chain/price_gateway.ts';
import type { Quote } from './source.ts';

/** The answer of one source, or the reason why it has none. */
export interface Statement {
  readonly source: string;
  readonly quote: Quote | { readonly fault: string };
}

/** Maximum distance of each two prices that count, in hundredths of the lower. */
const SPREAD_MAX = 2n;
/** Maximum lead of a source's clock over ours. */
const SKEW_MS = 5_000;

/**
 * The median of the sources with a usable answer of which each two agree: at least two, and more
 * than half of those with a usable answer. The sentences say what is wrong with each of the others.
 */
export function agreedPrice(
  statements: readonly Statement[],
  { ageMaxMs, now }: { readonly ageMaxMs: number; readonly now: Date },
): Price | { readonly faults: readonly string[] } {
  const faults: string[] = [];
  const usable: UsablePrice[] = [];
  for (const { source, quote } of statements) {
    const read = 'fault' in quote ? quote : usableOf(quote, ageMaxMs, now);
    if ('fault' in read) faults.push(`${source}: ${read.fault}`);
    else usable.push({ source, ...read });
  }
  const agreed = nearestOf(usable);
  if (agreed.length >= 2 && agreed.length * 2 > usable.length) {
    return {
      price: textOf(medianOf(agreed)),
      source: agreed.map(({ source }) => source).join(' '),
      at: new Date(Math.min(...agreed.map(({ at }) => at.getTime()))),
    };
  }
  const said = usable.map(({ source, value }) => `${source}: $${textOf(value)}`);
  return { faults: [...said, ...faults] };
}

interface UsablePrice {
  readonly source: string;
  /** The price times ONE. */
  readonly value: bigint;
  readonly at: Date;
}

function usableOf(quote: Quote, usualMs: number, now: Date) {
  const value = scaledOf(quote.price);
  const { at, ageMaxMs = usualMs } = quote;
  const ageMs = now.getTime() - at.getTime();
  if (value === undefined) return { fault: 'names no price' };
  if (Number.isNaN(ageMs)) return { fault: 'names no time' };
  if (ageMs > ageMaxMs) {
    return {
      fault: `is ${Math.round(ageMs / 1_000)} s old, which is more than ${ageMaxMs / 1_000}`,
    };
  }
  if (ageMs < -SKEW_MS) return { fault: 'is of a time that has not come' };
  return { value, at };
}

/** The most prices of which each two are near; of as many, those that are nearest. */
function nearestOf(usable: readonly UsablePrice[]): readonly UsablePrice[] {
  const sorted = usable.toSorted((a, b) => (a.value < b.value ? -1 : Number(a.value > b.value)));
  const groups = sorted.map((least, at) =>
    sorted
      .slice(at)
      .filter(({ value }) => (value - least.value) * 100n <= least.value * SPREAD_MAX),
  );
  const [nearest = []] = groups.toSorted(
    (a, b) => b.length - a.length || Number(spreadOf(a) - spreadOf(b)),
  );
  return usable.filter((one) => nearest.includes(one));
}

/** The spread in millionths of the lowest, in ascending order. */
const spreadOf = (group: readonly UsablePrice[]): bigint =>
  ((group.at(-1)!.value - group[0]!.value) * 1_000_000n) / group[0]!.value;

/** The median; of an even number, the mean of the two in the middle. 0 if there are none. */
function medianOf(usable: readonly UsablePrice[]): bigint {
  const values = usable.map(({ value }) => value).sort((a, b) => (a < b ? -1 : Number(a > b)));
  const upper = values[Math.floor(values.length / 2)] ?? 0n;
  const lower = values[Math.floor((values.length - 1) / 2)] ?? 0n;
  return (lower + upper) / 2n;
}
