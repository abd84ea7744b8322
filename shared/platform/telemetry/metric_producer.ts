import { ValueType, type HrTime } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';

import type { Figure, Figures, FigureValue } from '../metrics.ts';

/** The figures of a process in the form of OTLP, read at each export. */
export function metricProducer(figures: Figures, resource: Resource): MetricProducer {
  const startTime = hrTimeOf(Date.now() - process.uptime() * 1_000);
  return {
    async collect() {
      const found = await figures.read();
      const times = { startTime, endTime: hrTimeOf(Date.now()) };
      const metrics = found.flatMap((figure) => metricOf(figure, times) ?? []);
      const scopeMetrics = [{ scope: { name: 'market' }, metrics }];
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
    },
  };
}

type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>;

function metricOf({ name, help, type, values }: Figure, times: Times): MetricData | undefined {
  const common = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const pointOf = ({ labels, value }: FigureValue) => ({ ...times, attributes: labels, value });
  switch (type) {
    case 'counter':
      return {
        ...common,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints: values.map(pointOf),
      };
    case 'gauge':
      return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: values.map(pointOf) };
    case 'histogram':
      return {
        ...common,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: histogramsOf(values, times),
      };
    default:
      return undefined; // A summary; there is none.
  }
}

/** Joins the values of each histogram. A bucket of Prometheus counts those below it too. */
function histogramsOf(values: readonly FigureValue[], times: Times): DataPoint<Histogram>[] {
  const found = new Map<string, Joined>();
  for (const { labels, metricName, value } of values) {
    const { le, ...attributes } = labels;
    const key = JSON.stringify(attributes);
    let joined = found.get(key);
    if (!joined) {
      joined = { attributes, boundaries: [], upTo: [], sum: 0, count: 0 };
      found.set(key, joined);
    }
    if (metricName?.endsWith('_sum')) joined.sum = value;
    else if (metricName?.endsWith('_count')) joined.count = value;
    else if (le !== undefined && le !== '+Inf') {
      joined.boundaries.push(Number(le));
      joined.upTo.push(value);
    }
  }
  return [...found.values()].map(({ attributes, boundaries, upTo, sum, count }) => ({
    ...times,
    attributes,
    value: {
      buckets: {
        boundaries,
        counts: [...upTo, count].map((total, n) => total - (upTo[n - 1] ?? 0)),
      },
      sum,
      count,
    },
  }));
}

interface Joined {
  readonly attributes: FigureValue['labels'];
  readonly boundaries: number[];
  readonly upTo: number[];
  sum: number;
  count: number;
}

const hrTimeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)];
