import { median, spread, table, totalCpu, type Slice } from './measure/statistics.ts';
import { NAMES } from './names.ts';
import { RATIOS, valuesOf, verdictOf, type Limits, type Results } from './ratios.ts';

/** A ratio with the values of the rounds. */
interface RatioResult extends Limits {
  readonly number: number | string;
  readonly says: string;
  readonly values: readonly number[];
}

/** Prints the measurements of each side. */
export function printSlices(results: Results): void {
  const rows = [...results].map(([name, slices]) => {
    const by = (value: (slice: Slice) => number, digits: number) =>
      spread(slices.map(value), digits);
    const processes = Object.keys(slices[0]!.cpu).map(
      (process) => `${process} ${median(slices.map(({ cpu }) => cpu[process]!)).toFixed(0)}`,
    );
    return [
      NAMES[name],
      by(({ perSecond }) => perSecond, 0),
      by(({ p50 }) => p50, 2),
      by(({ p99 }) => p99, 2),
      processes.length > 0 ? `${by(totalCpu, 0)} = ${processes.join(' + ')}` : '',
    ];
  });
  console.log(
    table([['medians (quartiles)', 'per s', 'p50 ms', 'p99 ms', 'CPU µs a call'], ...rows]),
  );
}

/** The ratios whose sides were measured. */
export const judgedOf = (results: Results): RatioResult[] =>
  RATIOS.flatMap((ratio) => {
    const values = valuesOf(ratio, results);
    return values ? { ...ratio, values } : [];
  });

/** Prints a table of ratios, the missed floors, and a line of JSON for programs. */
export function printRatios(judged: readonly RatioResult[], machine: string): void {
  const rows = judged.map(({ number, says, values, ...limits }) => [
    String(number),
    says,
    spread(values, 2),
    String(limits.floor),
    String(limits.goal),
    verdictOf(limits, values),
  ]);
  console.log(`\n${machine}`);
  console.log(table([['#', 'ratio', 'median (quartiles)', 'floor', 'goal', ''], ...rows]));
  const those = (verdict: string) =>
    judged
      .filter(({ values, ...limits }) => verdictOf(limits, values) === verdict)
      .map(({ number }) => String(number));
  const missed = those('missed');
  const unclear = those('unclear');
  console.log(`Floors missed: ${missed.join(', ') || 'none'}`);
  if (unclear.length > 0) console.log(`Floors between the quartiles: ${unclear.join(', ')}`);
  const ratios = judged.map(({ number, values }) => [
    String(number),
    Number(median(values).toPrecision(3)),
  ]);
  console.log(JSON.stringify({ ratios: Object.fromEntries(ratios), missed, unclear, machine }));
}
