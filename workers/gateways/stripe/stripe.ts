import Stripe from 'stripe';

import type {
  CardGateway,
  StripePayment,
} from '../../../shared/domains/deposits/card/card_gateway.ts';
import type { CardSettings } from '../../../shared/domains/deposits/settings.ts';
import { changedIn, disputedOf } from './taken_back.ts';

const ANSWER_MS_MAX = 10_000;
/** Maximum lead of our clock over Stripe's. */
const CLOCK_SECONDS = 300;
const EXPANDED = ['latest_charge', 'payment_method'];
const LISTED = EXPANDED.map((field) => `data.${field}`);
const sinceOf = (at: Date) => ({ gte: Math.floor(at.getTime() / 1_000) - CLOCK_SECONDS });

/** Stripe, or its double. Retries are left to the jobs. */
export function openStripe(settings: CardSettings | undefined): CardGateway {
  if (!settings) throw new Error('Stripe is asked, and its settings are not set');
  const stripe = new Stripe(settings.secretKey, {
    ...(settings.apiBase && originOf(settings.apiBase)),
    maxNetworkRetries: 0,
    timeout: ANSWER_MS_MAX,
    telemetry: false,
  });

  return {
    openCheckout: (request) =>
      asked(async () => {
        const { cardPaymentId, cents, agentId, customerId, savesCard, returnUrl } = request;
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'payment',
            // Otherwise people pay in their own currency, and refunds and disputes are in it.
            adaptive_pricing: { enabled: false },
            allowed_payment_method_types: ['card'],
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: 'usd',
                  unit_amount: cents,
                  product_data: { name: `Wallet of agent ${agentId}` },
                },
              },
            ],
            client_reference_id: cardPaymentId,
            payment_intent_data: {
              metadata: { card_payment: cardPaymentId },
              ...(savesCard && { setup_future_usage: 'off_session' as const }),
            },
            ...(customerId
              ? { customer: customerId }
              : savesCard && { customer_creation: 'always' as const }),
            success_url: `${returnUrl}?payment=paid`,
            cancel_url: `${returnUrl}?payment=cancelled`,
          },
          { idempotencyKey: `checkout:${cardPaymentId}` },
        );
        return { sessionId: session.id, url: session.url! };
      }),

    readPayment: (id) =>
      asked(async () => {
        try {
          const intent = await stripe.paymentIntents.retrieve(id, { expand: EXPANDED });
          return await paymentOf(intent);
        } catch (error) {
          if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) {
            return undefined;
          }
          throw error;
        }
      }),

    listPayments: (since) =>
      asked(async () => {
        const payments: StripePayment[] = [];
        const listed = { created: sinceOf(since), expand: LISTED, limit: 100 };
        for await (const intent of stripe.paymentIntents.list(listed)) {
          if (intent.metadata.card_payment) payments.push(await paymentOf(intent));
        }
        return payments;
      }),

    listChanges: (times) =>
      asked(async () => {
        const payments: StripePayment[] = [];
        for (const id of await changedIn(stripe, times)) {
          const intent = await stripe.paymentIntents.retrieve(id, { expand: EXPANDED });
          if (intent.metadata.card_payment) payments.push(await paymentOf(intent));
        }
        return payments;
      }),

    chargeSavedCard: ({ cardPaymentId, cents, customerId, methodId }) =>
      asked(async () => {
        try {
          const intent = await stripe.paymentIntents.create(
            {
              amount: cents,
              currency: 'usd',
              customer: customerId,
              payment_method: methodId,
              allowed_payment_method_types: ['card'],
              off_session: true,
              confirm: true,
              metadata: { card_payment: cardPaymentId },
              expand: EXPANDED,
            },
            { idempotencyKey: `recharge:${cardPaymentId}` },
          );
          return { payment: await paymentOf(intent) };
        } catch (error) {
          return { declined: declineOf(error) };
        }
      }),

    findCharge: ({ cardPaymentId, customerId, since }) =>
      asked(async () => {
        const listed = { created: sinceOf(since), expand: LISTED, limit: 100 };
        const found = stripe.paymentIntents.list({ ...listed, customer: customerId });
        for await (const intent of found) {
          if (intent.metadata.card_payment !== cardPaymentId) continue;
          if (intent.status !== 'requires_payment_method') {
            return { payment: await paymentOf(intent) };
          }
          return { declined: wordOf(intent.last_payment_error?.code) };
        }
        return { declined: 'not_charged' };
      }),

    forgetCards: (customer) =>
      asked(async () => {
        let forgotten = 0;
        for (;;) {
          const { data } = await stripe.paymentMethods.list({ customer, type: 'card', limit: 100 });
          if (data.length === 0) return forgotten;
          for (const { id } of data) await stripe.paymentMethods.detach(id);
          forgotten += data.length;
        }
      }),
  };

  /** A payment, with its charge and card expanded. */
  async function paymentOf(intent: Stripe.PaymentIntent): Promise<StripePayment> {
    const charge = intent.latest_charge as Stripe.Charge | null;
    const disputed = charge?.disputed ? await disputedOf(stripe, intent) : 0;
    const received = intent.amount_received;
    const card = savedCardOf(intent);
    return {
      id: intent.id,
      cardPaymentId: intent.metadata.card_payment,
      currency: intent.currency,
      status:
        intent.status === 'succeeded' ? 'paid' : intent.status === 'canceled' ? 'failed' : 'open',
      received,
      takenBack: Math.min(received, (charge?.amount_refunded ?? 0) + disputed),
      ...(card && { savedCard: card }),
    };
  }
}

function savedCardOf({ customer, payment_method, setup_future_usage }: Stripe.PaymentIntent) {
  const method = payment_method as Stripe.PaymentMethod | null;
  if (setup_future_usage !== 'off_session' || !customer || !method?.card) return undefined;
  const { brand, last4 } = method.card;
  const customerId = typeof customer === 'string' ? customer : customer.id;
  return { customerId, methodId: method.id, brand, last4 };
}

function originOf(apiBase: string) {
  const { protocol, hostname, port } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port || (isPlain ? 80 : 443),
  };
}

/**
 * The reason why a card was not charged: its bank declined, or Stripe no longer has it. Throws
 * errors that are not about the card.
 */
function declineOf(error: unknown): string {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
  const isAboutCard =
    error instanceof StripeCardError ||
    (error instanceof StripeInvalidRequestError && error.code === 'resource_missing');
  if (!isAboutCard) throw error;
  return wordOf(error.code);
}

const wordOf = (code: string | undefined): string =>
  code && /^[a-z_]{1,64}$/.test(code) ? code : 'card_declined';

/** Other errors of Stripe are our faults; their message may repeat what we have sent. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { type, code = '-', statusCode = '-', requestId = '-' } = error;
    throw new Error(`Stripe answered ${statusCode} ${type} ${code} to ${requestId}`);
  }
}
