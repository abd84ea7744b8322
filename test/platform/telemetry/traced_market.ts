import { child, endChildren, openPlatform } from '../../faults/children.ts';
import { openMarket } from '../../faults/market.ts';
import { openRedis } from '../../faults/servers.ts';
import { eventually } from '../../harness.ts';
import { startCollector, type ReceivedSpan } from './collector.ts';

/** Programs that share a Redis of their own, and the collector that they send to. */
export async function openTracedMarket() {
  const redis = await openRedis();
  const platform = await openPlatform({ redisUrl: redis.url, workers: false });
  const market = await openMarket(platform);
  let collector = await startCollector();

  /** The environment of the programs. */
  const settings = (more: Record<string, string> = {}) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    REDIS_PREFIX: '{market}',
    ...more,
  });
  const named = (name: string) => collector.spans.filter((span) => span.name === name);

  return {
    platform,
    market,
    collector: () => collector,
    startApi: (more?: Record<string, string>) => child(platform, 'api/main.ts', settings(more)),
    startWorker: (more?: Record<string, string>, program = 'test/faults/worker.ts') =>
      child(platform, program, settings(more)),
    named,
    untilNamed: (name: string) =>
      eventually(
        async () => named(name),
        (found) => found.length > 0,
      ),
    childrenOf: ({ spanId }: ReceivedSpan) =>
      collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId),
    /** For `afterEach`. */
    async endPrograms() {
      await endChildren();
      await collector.close();
      collector = await startCollector();
    },
    async close() {
      await collector.close();
      await platform.close();
      await redis.close();
    },
  };
}
export type TracedMarket = Awaited<ReturnType<typeof openTracedMarket>>;
