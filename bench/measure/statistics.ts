/** The measurements of one side in one round. */
export interface Slice {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time of each process in µs per call, by its name. */
  readonly cpu: Readonly<Record<string, number>>;
}

/** The value below which this fraction of the sample lies. */
export function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * fraction;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

export const totalCpu = ({ cpu }: Slice) => Object.values(cpu).reduce((a, b) => a + b, 0);

/** `median (lower quartile–upper quartile)`; empty if there are no values. */
export function spread(values: readonly number[], digits: number): string {
  if (values.length === 0 || !values.every(Number.isFinite)) return '';
  const [low, mid, high] = [0.25, 0.5, 0.75].map((q) => quantile(values, q).toFixed(digits));
  return `${mid} (${low}–${high})`;
}

/** Rows of text in columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, n) => Math.max(...rows.map((row) => row[n]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
