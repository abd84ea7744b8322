import { BadSettings, readConfig } from '../../shared/platform/config/config.ts';
import { throttled } from '../../shared/platform/log.ts';
import { closeWorld, openWorld } from '../../shared/kernel/open_context.ts';
import { onStop } from '../../shared/platform/shutdown.ts';
import { openSocksDoor } from './server.ts';

const CLOCK_EVERY_MS = 10_000;

async function main(): Promise<void> {
  const config = readConfig();
  if (!config.socks) throw new BadSettings('SOCKS_PORT is not set (see .env.example)');
  const world = await openWorld(config, { process: 'socks' });
  const warn = throttled(world.log);
  const clock = setInterval(() => {
    const onFault = (error: unknown) => warn('the clock could not be compared', error);
    world.clock.adjust(world.database).catch(onFault);
  }, CLOCK_EVERY_MS);
  const door = await openSocksDoor(world, config.socks);

  onStop(world.log, async () => {
    clearInterval(clock);
    await door.close();
    await closeWorld(world);
  });
  world.log.info({ host: config.host, port: door.port }, 'the SOCKS5 door is open');
  process.send?.({ port: door.port });
}

main().catch((error: unknown) => {
  console.error(error instanceof BadSettings ? error.message : error);
  process.exit(1);
});
