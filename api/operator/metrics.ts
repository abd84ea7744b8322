import { openApiMetrics } from '../../shared/composition/metrics.ts';
import type { Context } from '../../shared/composition/context.ts';
import { METRICS_TYPE } from '../../shared/platform/metrics.ts';
import type { Route } from '../http/routes.ts';
import { isOperator } from './is_operator.ts';

/** Metrics of this process for Prometheus, with an operator's token. */
export function metricsRoutes(context: Context): Route[] {
  const scrape = openApiMetrics(context);
  return [
    {
      route: 'GET /metrics',
      async handle(ctx) {
        if (!(await isOperator(context, ctx))) return;
        ctx.set('Content-Type', METRICS_TYPE);
        ctx.body = await scrape.text();
      },
    },
  ];
}
