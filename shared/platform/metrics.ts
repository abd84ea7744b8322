import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * Metrics of a process, for Prometheus. A metric is declared beside the code that counts. Its
 * labels have few values, never chosen by callers: each combination is kept as long as the process
 * lives, and operators read them.
 */
const counted = new Registry();
let collectsDefaults = false;

/** The Content-Type of a scrape. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** A count since the process started; its name ends in `_total`. */
export const counter = <L extends string = never>(
  name: string,
  help: string,
  labelNames: readonly L[] = [],
): Counter<L> => new Counter({ name, help, labelNames, registers: [counted] });

/** A histogram: the number of values up to each of `buckets`, and the sum of all. */
export const histogram = <L extends string = never>(
  name: string,
  help: string,
  buckets: readonly number[],
  labelNames: readonly L[] = [],
): Histogram<L> =>
  new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [counted] });

/** Buckets from 1 ms to 30 s. */
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30] as const;

/** A metric with its values at one moment. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly FigureValue[];
}

export interface FigureValue {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** Name of a part of a histogram, with _bucket, _sum or _count at its end. */
  readonly metricName?: string;
}

/** Metrics as Prometheus reads them, and the same ones as values. */
export interface Figures {
  text(): Promise<string>;
  read(): Promise<readonly Figure[]>;
}

/** The metrics of the process, and those of Node: CPU, memory, event loop. */
export const countedMetrics: Figures = {
  text: () => withDefaults().metrics(),
  read: () => figuresOf(withDefaults()),
};

/** Those of Node measure the event loop all the time, so they start with the first scrape. */
function withDefaults(): Registry {
  if (!collectsDefaults) collectDefaultMetrics({ register: counted });
  collectsDefaults = true;
  return counted;
}

const figuresOf = async (registry: Registry): Promise<readonly Figure[]> =>
  (await registry.getMetricsAsJSON()) as unknown as readonly Figure[];

/** One value of a gauge, with its labels. */
type Reading<L extends string> = readonly [labels: Record<L, string>, value: number];

/** Gauges whose values are read at each scrape. */
export interface Gauges extends Figures {
  /** Adds a gauge. `read` may return no value if it is unknown. */
  add<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    read: () => readonly Reading<L>[],
  ): void;
}

export function openGauges(): Gauges {
  const registry = new Registry();
  return {
    add(name, help, labelNames, read) {
      function collect(this: Gauge): void {
        this.reset();
        if (labelNames.length === 0) this.remove(); // Otherwise it would be 0.
        for (const [labels, value] of read()) this.set(labels, value);
      }
      new Gauge({ name, help, labelNames, registers: [registry], collect });
    },
    text: () => registry.metrics(),
    read: () => figuresOf(registry),
  };
}
