import { join } from 'node:path';
import { readFileSync } from 'node:fs';

import { DEMO } from '../../local/demo/catalogue.ts';
import { startZone } from '../email/zone.ts';
import type { TestPlatform } from '../harness.ts';
import { stock } from '../proxies/stock.ts';
import { openWithStripe } from '../sandbox/stripe_platform.ts';
import { ROOT } from '../sources.ts';

/** Address of the marketplace in documents. */
export const HERE = 'http://localhost:3000';

export const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** The goods of the demo, whose seller came first, and those two who fill the boards. */
export async function withDemo(platform: TestPlatform): Promise<void> {
  const [seller] = [await platform.agent(), await platform.agent(), await platform.agent()];
  for (const product of DEMO) await platform.product(seller!, { ...product });
}

/** A marketplace as `npm start` makes it. */
export async function openAsShown(settings: Record<string, string> = {}) {
  const zone = await startZone({
    'gmail.com': { MX: ['mx.gmail.com'] },
    'mx.gmail.com': { A: ['198.51.100.25'] },
  });
  const env = { DNS_SERVERS: zone.address, RATE_LIMIT_FREE: '600', ...settings };
  const stripe = await openWithStripe({ env });
  const { platform } = stripe;
  await withDemo(platform);
  await stock(platform, { count: 2, country: 'DE' });
  const close = async () => {
    await stripe.close();
    await zone.close();
  };
  return { platform, close };
}
