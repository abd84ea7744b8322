import { randomBytes } from 'node:crypto';

import { openDoor } from '../shared/kernel/invoke.ts';
import { catalog } from '../shared/kernel/catalog.ts';
import { readConfig } from '../shared/platform/config/config.ts';
import { openWaiting } from '../shared/jobs/waiters.ts';
import { closeWorld, openWorld } from '../shared/kernel/open_context.ts';
import { DEMO } from './demo_catalogue.ts';

const SELLER = 'demo-shop';

/**
 * The demo catalogue, so that a new marketplace has something to buy. It comes in by the same door
 * as everything else. Done once, and never in production.
 */
async function seed(): Promise<void> {
  const config = readConfig();
  if (config.production) return;
  const world = await openWorld(config, { process: 'seed' });
  const waiting = openWaiting(world.database, config.redisUrl, world.log);
  const door = openDoor(world, waiting);
  const call = async (name: string, input: object, token?: string) => {
    const read = () => ({ input, key: undefined, waitMs: 0 });
    const request = { token, read, dropUnknown: false, requestId: `seed:${name}` };
    return JSON.parse((await door(catalog.get(name)!, request)).body);
  };

  try {
    const [there] = await world.database.query('select from agent where username = $1', [SELLER]);
    if (there) return;
    const { api_key } = await call('register_agent', {
      username: SELLER,
      email: 'demo-shop@example.com',
      password: randomBytes(24).toString('base64url'),
    });
    for (const product of DEMO) {
      const { product_id, status } = await call('create_product', product, api_key.key);
      if (status === 'approved') continue;
      await call('review_product', { product_id, decision: 'approve' }, config.operatorToken);
    }
    world.log.info({ products: DEMO.length }, 'the demo catalogue is on sale');
  } finally {
    waiting.close();
    await closeWorld(world);
  }
}

await seed();
