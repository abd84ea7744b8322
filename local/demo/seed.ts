import { randomBytes } from 'node:crypto';
import { once } from 'node:events';

import { openInvoke } from '../../shared/composition/invoke/invoke.ts';
import { catalog } from '../../shared/composition/catalog.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { openWaiters } from '../../shared/jobs/waiters.ts';
import { closeContext, openContext } from '../../shared/composition/open_context.ts';
import { column, rows } from '../../shared/platform/rows.ts';
import { DEMO_AGENTS } from '../../shared/domains/operators/demo_agents.ts';
import { DEMO } from './catalogue.ts';

const [SELLER] = DEMO_AGENTS;

/** Fields of the operations' answers that are used here. */
interface Reply {
  readonly api_key: { readonly key: string };
  readonly product_id: number;
  readonly status: string;
}

/**
 * Seeds the demo catalogue, so that a new marketplace has something to buy. It uses calls, like
 * everybody. Done once, and never in production.
 */
async function seed(): Promise<void> {
  const config = readConfig();
  if (config.production) return;
  const context = await openContext(config, { process: 'seed' });
  const waiters = openWaiters(context.database, config.redisUrl, context.log);
  const invoke = openInvoke(context, waiters);
  const call = async (name: string, input: object, token?: string) => {
    const read = () => ({ input, key: undefined, waitMs: 0 });
    const request = { token, read, dropUnknown: false, requestId: `seed:${name}` };
    return JSON.parse((await invoke(catalog.get(name)!, request)).body) as Reply;
  };

  const { redis } = context.queue;
  // Without Redis the calls would be counted only here, which is logged as a fault.
  if (redis.status !== 'ready') await once(redis, 'ready').catch(() => undefined);

  try {
    const isThere = 'select id from agent where username = $1';
    const existing = await rows(context.database, { id: column.id }, isThere, [SELLER]);
    if (existing.length > 0) return;
    const { api_key } = await call('register_agent', {
      username: SELLER,
      email: 'demo-shop@example.com',
      password: randomBytes(24).toString('base64url'),
    });
    for (const product of DEMO) {
      const { product_id, status } = await call('create_product', product, api_key.key);
      if (status === 'approved') continue;
      await call(
        'review_product',
        { product_id, decision: 'approve' },
        config.agents.operators[0]!.token,
      );
    }
    context.log.info({ products: DEMO.length }, 'the demo catalogue is on sale');
  } finally {
    waiters.close();
    await closeContext(context);
  }
}

await seed();
