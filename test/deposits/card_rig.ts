import Stripe from 'stripe';

import { openStripeDouble } from '../../local/sandbox/stripe/double.ts';
import { TestPlatform } from '../harness.ts';
import { payOn } from '../sandbox/stripe_rig.ts';

const KEY = 'sk_test_of_the_platform';
export const SECRETS = ['whsec_new', 'whsec_old'] as const;

/** The platform with the double of Stripe, which sends its events to it. */
export async function openCardPlatform(env: Record<string, string> = {}) {
  const endpoints: { url: string; secret: string }[] = [];
  const double = await openStripeDouble({ key: KEY, endpoints, retryMs: [50, 100, 200, 400] });
  const platform = await TestPlatform.open({
    env: {
      STRIPE_SECRET_KEY: KEY,
      STRIPE_WEBHOOK_SECRETS: SECRETS.join(','),
      STRIPE_API_BASE: double.url,
      ...env,
    },
  });
  endpoints.push({ url: `${platform.url}/webhooks/stripe`, secret: SECRETS[0] });
  const { hostname: host, port } = new URL(double.url);
  const stripe = new Stripe(KEY, { host, port, protocol: 'http', maxNetworkRetries: 0 });

  async function topUp(agent: { key: string }, amount: number, more: object = {}) {
    const reply = await platform.request('POST /api/v1/wallet/topup', {
      key: agent.key,
      body: { amount, ...more },
    });
    if (reply.status !== 200) throw new Error(`no top-up: ${reply.text}`);
    return reply.body as { checkout_url: string; session_id: string; amount: number };
  }

  return {
    platform,
    control: double.control,
    stripe,
    topUp,
    /** The id of the payment. */
    async paid(agent: { key: string }, amount: number, more: object = {}): Promise<string> {
      const { checkout_url, session_id } = await topUp(agent, amount, more);
      const outcome = await payOn(checkout_url, '4242 4242 4242 4242');
      if (outcome.status !== 'paid') throw new Error(`not paid: ${outcome.message}`);
      const session = await stripe.checkout.sessions.retrieve(session_id);
      return session.payment_intent as string;
    },
    wallet: async ({ key }: { key: string }) =>
      (await platform.request('GET /api/v1/wallet', { key })).body,
    /** Every job that an event has started is done. */
    async quiet(): Promise<void> {
      await double.control.settled();
      for (;;) {
        const [{ busy }] = await platform.query(
          `select count(*)::int as busy from job
            where status = 'pending' and operation in ('read_card_payment', 'charge_saved_card')`,
        );
        if (busy === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async close(): Promise<void> {
      await platform.close();
      await double.close();
    },
  };
}

export type CardPlatform = Awaited<ReturnType<typeof openCardPlatform>>;
