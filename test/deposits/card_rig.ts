import type { Permissions } from '../../sandbox/stripe/permissions.ts';
import { payOn, postTo, RIG_SECRET, sdkOf } from '../sandbox/stripe_rig.ts';
import { openWithStripe } from '../sandbox/stripe_platform.ts';

/** The secret before the present one, which is still believed. */
export const OLD_SECRET = 'whsec_old';

/** The platform with the double of Stripe, and what a payer does. */
export async function openCardPlatform(
  env: Record<string, string> = {},
  permissions?: Permissions,
) {
  const secrets = `${RIG_SECRET},${OLD_SECRET}`;
  const opened = await openWithStripe(
    { env: { STRIPE_WEBHOOK_SECRETS: secrets, ...env } },
    permissions,
  );
  const { platform, double } = opened;
  const stripe = sdkOf(double);

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
    async paid(
      agent: { key: string },
      amount: number,
      more: object = {},
      number = '4242 4242 4242 4242',
    ): Promise<string> {
      const { checkout_url, session_id } = await topUp(agent, amount, more);
      let outcome = await payOn(checkout_url, number);
      if (outcome.status === 'asks') {
        const { origin } = new URL(checkout_url);
        outcome = await postTo(`${origin}${outcome.next}/authentication`, { answer: 'accept' });
      }
      if (outcome.status !== 'paid') throw new Error(`not paid: ${outcome.message}`);
      const session = await stripe.checkout.sessions.retrieve(session_id);
      return session.payment_intent as string;
    },
    wallet: async ({ key }: { key: string }) =>
      (await platform.request('GET /api/v1/wallet', { key })).body,
    /** Every job that an event has started is done, except for a look in half an hour. */
    async quiet(): Promise<void> {
      await double.control.settled();
      for (;;) {
        const [{ busy }] = await platform.query(
          `select count(*)::int as busy from job
            where status = 'pending' and operation in ('read_card_payment', 'charge_saved_card')
              and (run_at is null or run_at < now() + interval '1 minute')`,
        );
        if (busy === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    close: () => opened.close(),
  };
}

export type CardPlatform = Awaited<ReturnType<typeof openCardPlatform>>;
