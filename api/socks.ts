import { BadSettings, readConfig } from '../shared/config.ts';
import { throttled } from '../shared/log.ts';
import { closeWorld, openWorld } from '../shared/open_world.ts';
import { onStop } from '../shared/stop.ts';
import { openSocksDoor } from './socks/door.ts';

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
