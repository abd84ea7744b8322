import { migrationNames } from '../../migrations/files.ts';
import { BadSettings } from '../../shared/platform/config/environment.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { watchDatabase } from '../../shared/composition/database_state.ts';
import { startHeartbeat } from '../../shared/composition/machine/heartbeat.ts';
import { openHealthServer } from '../../shared/composition/health_server.ts';
import { closeContext, openContext } from '../../shared/composition/open_context.ts';
import { keepAdjusted } from '../../shared/platform/clock.ts';
import { onShutdown } from '../../shared/platform/shutdown.ts';
import { openSocksMetrics } from './records/metrics.ts';
import { openSocksServer } from './server.ts';

async function main(): Promise<void> {
  const config = readConfig();
  const { socks } = config.proxies;
  if (!socks) throw new BadSettings('SOCKS_PORT is not set (see .env.example)');
  const context = await openContext(config, { process: 'socks' });
  const stopClock = keepAdjusted(context.clock, context.reserved, context.log);
  const server = await openSocksServer(context, socks);
  const scrape = openSocksMetrics(context, socks, () => server.countOpen());
  const health =
    socks.healthPort === undefined
      ? undefined
      : await openHealthServer(
          context,
          { host: config.api.host, port: socks.healthPort },
          {
            scrape,
            facts: {},
            database: watchDatabase(context, migrationNames),
          },
        );

  const heartbeat = startHeartbeat(context, { role: 'socks' });

  onShutdown(context, async () => {
    health?.close();
    stopClock();
    await heartbeat.stop();
    await server.close();
    await closeContext(context);
  });
  context.log.info({ host: config.api.host, port: server.port }, 'the SOCKS5 server is open');
  process.send?.({ port: server.port });
}

main().catch((error: unknown) => {
  console.error(error instanceof BadSettings ? error.message : error);
  process.exit(1);
});
