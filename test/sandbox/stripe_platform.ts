import { openStripeDouble, type StripeDouble } from '../../sandbox/stripe/double.ts';
import type { Permissions } from '../../sandbox/stripe/permissions.ts';
import { TestPlatform, type Options } from '../harness.ts';
import { RIG_KEY, RIG_SECRET } from './stripe_rig.ts';

/** A platform whose cards are charged by a Stripe double of its own. */
export interface PlatformWithStripe {
  readonly platform: TestPlatform;
  readonly double: StripeDouble;
  close(): Promise<void>;
}

export async function openWithStripe(
  options: Options = {},
  permissions?: Permissions,
): Promise<PlatformWithStripe> {
  // Each needs the address of the other; events come later.
  const endpoint = { url: '', secret: RIG_SECRET };
  const retryMs = [20, 50, 100, 500, 1_000];
  const double = await openStripeDouble({
    key: RIG_KEY,
    endpoints: [endpoint],
    retryMs,
    ...(permissions && { permissions }),
  });
  const env = {
    STRIPE_API_BASE: double.url,
    STRIPE_SECRET_KEY: RIG_KEY,
    STRIPE_WEBHOOK_SECRETS: RIG_SECRET,
    ...options.env,
  };
  const platform = await TestPlatform.open({ ...options, env });
  endpoint.url = `${platform.url}/webhooks/stripe`;
  return {
    platform,
    double,
    async close() {
      await double.close();
      await platform.close();
    },
  };
}
