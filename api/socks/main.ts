import { BadSettings } from '../../shared/platform/config/environment.ts';
import { readConfig } from '../../shared/kernel/config.ts';
import { throttled } from '../../shared/platform/log.ts';
import { closeContext, openContext } from '../../shared/kernel/open_context.ts';
import { onShutdown } from '../../shared/platform/shutdown.ts';
import { openSocksServer } from './server.ts';

const CLOCK_EVERY_MS = 10_000;

async function main(): Promise<void> {
  const config = readConfig();
  if (!config.proxies.socks) throw new BadSettings('SOCKS_PORT is not set (see .env.example)');
  const context = await openContext(config, { process: 'socks' });
  const warn = throttled(context.log);
  const clock = setInterval(() => {
    const onFault = (error: unknown) => warn('the clock could not be compared', error);
    context.clock.adjust(context.database).catch(onFault);
  }, CLOCK_EVERY_MS);
  const server = await openSocksServer(context, config.proxies.socks);

  onShutdown(context.log, async () => {
    clearInterval(clock);
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
