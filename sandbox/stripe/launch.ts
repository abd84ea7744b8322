import { join } from 'node:path';

import type { LaunchEntry } from '../../local/launcher/launch_entry.ts';
import { samePort, storedPort } from '../../local/ports.ts';
import { newPassword, storedValue } from '../../local/stored_values.ts';

const PORT = 'stripe_port';

/**
 * Cards with play money, unless a Stripe account is set. The double is opened once the API answers,
 * so that it delays no start; its address is known before.
 */
export const stripeSandbox: LaunchEntry = {
  name: 'Stripe sandbox',
  when: ({ production, env }) => !production && SETTINGS.every((name) => !env[name]),
  async env({ settings: { dataDir, url } }) {
    const port = await samePort(dataDir, PORT);
    return {
      STRIPE_API_BASE: `http://${new URL(url).hostname}:${port}`,
      STRIPE_SECRET_KEY: storedValue(dataDir, 'stripe_key', () => `sk_test_${newPassword()}`),
      STRIPE_WEBHOOK_SECRETS: storedValue(
        dataDir,
        'stripe_webhook_secret',
        () => `whsec_${newPassword()}`,
      ),
    };
  },
  start: () => Promise.resolve([]),
  async onReady({ settings: { dataDir, url, publicUrl }, env }) {
    const { openStripeDouble } = await import('./double.ts');
    const port = storedPort(dataDir, PORT);
    const shown = `http://${new URL(publicUrl).hostname}:${port}`;
    await openStripeDouble({
      key: env.STRIPE_SECRET_KEY!,
      endpoints: [{ url: `${url}/webhooks/stripe`, secret: env.STRIPE_WEBHOOK_SECRETS! }],
      host: env.HOST || '127.0.0.1',
      port,
      publicUrl: shown,
      file: join(dataDir, 'stripe_sandbox.jsonl'),
    });
    console.log(
      `Sandbox: cards are play money, paid at ${shown}. Try: npm run pay -- card 10 --key vnx_…`,
    );
  },
};

const SETTINGS = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS', 'STRIPE_API_BASE'];
