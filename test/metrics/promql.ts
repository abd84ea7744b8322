import { parser } from '@prometheus-io/lezer-promql';

/** Names in an expression of PromQL; throws where Prometheus would not understand it. */
export function namesIn(promql: string): { metrics: string[]; labels: string[] } {
  // Grafana fills these in.
  const text = promql.replaceAll('$__rate_interval', '1m');
  const metrics: string[] = [];
  const labels: string[] = [];
  parser.parse(text).iterate({
    enter({ name, type, from, to }) {
      if (type.isError) throw new Error(`at ${from} of ${text}`);
      const token = text.slice(from, to);
      if (name === 'VectorSelector') metrics.push(/^[\w:]*/.exec(token)![0]);
      if (name === 'LabelName') labels.push(token);
    },
  });
  return { metrics, labels };
}
