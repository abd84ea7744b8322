import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import Stripe from 'stripe';

import { openStripeDouble, type StripeDouble } from '../../sandbox/stripe/double.ts';
import type { PayOutcome } from '../../sandbox/stripe/page/pay_routes.ts';
import { patience } from '../platform/pace.ts';

export const RIG_KEY = 'sk_test_of_the_tests';
export const RIG_SECRET = 'whsec_of_the_tests';

/** The SDK as it comes from Stripe, told only where the double is. */
export function sdkOf({ url }: StripeDouble, key = RIG_KEY, timeoutMs = patience(5_000)): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
  });
}

/** An endpoint that verifies events by the SDK, as ours does. */
export interface Receiver {
  readonly url: string;
  /** Verified, in the order in which they came. */
  readonly events: Stripe.Event[];
  /** Why others were refused. */
  readonly refused: string[];
  /** Answers this to the next messages instead of receiving them. */
  fail(times: number, status?: number): void;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const sdk = new Stripe(RIG_KEY);
  const events: Stripe.Event[] = [];
  const refused: string[] = [];
  let failing = { times: 0, status: 503 };
  async function receive(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (failing.times > 0) {
      failing.times -= 1;
      return failing.status;
    }
    try {
      const signature = request.headers['stripe-signature']!;
      events.push(sdk.webhooks.constructEvent(Buffer.concat(chunks), signature, RIG_SECRET));
      return 200;
    } catch (error) {
      refused.push((error as Error).message);
      return 400;
    }
  }
  const server: Server = createServer((request, response) => {
    void receive(request).then((status) => response.writeHead(status).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    events,
    refused,
    fail: (times, status = 503) => (failing = { times, status }),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** A double that sends its events to `receiver`, and the SDK that talks to it. */
export async function openStripe(receiver?: Receiver, more: { file?: string } = {}) {
  const endpoints = receiver ? [{ url: receiver.url, secret: RIG_SECRET }] : [];
  const double = await openStripeDouble({ key: RIG_KEY, endpoints, retryMs: [5, 10, 20], ...more });
  return { double, control: double.control, stripe: sdkOf(double) };
}

/** Types a card into a pay page. */
export async function payOn(
  url: string,
  number: string,
  more: { expiry?: string; cvc?: string } = {},
): Promise<PayOutcome> {
  return postTo(url, { number, expiry: '12/34', cvc: '123', ...more });
}

export async function postTo(url: string, fields: Record<string, string>): Promise<PayOutcome> {
  const headers = { accept: 'application/json' };
  const body = new URLSearchParams(fields);
  const answer = await fetch(url, { method: 'POST', headers, body });
  return (await answer.json()) as PayOutcome;
}

/** A top-up as it is sold. */
export const SESSION = {
  mode: 'payment',
  line_items: [
    {
      quantity: 1,
      price_data: { currency: 'usd', unit_amount: 2_000, product_data: { name: 'Top-up' } },
    },
  ],
  client_reference_id: 'agent 7',
  success_url: 'http://localhost/paid?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://localhost/cancelled',
} satisfies Stripe.Checkout.SessionCreateParams;

/** The error that the SDK throws. */
export async function refusalOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown as Stripe.errors.StripeError,
  );
  if (!error) throw new Error('it was not refused');
  return error;
}

/** A customer and a card of theirs, by the name of a test card. */
export async function savedCard(stripe: Stripe, token: string) {
  const { id: customer } = await stripe.customers.create({ email: 'ada@example.com' });
  const { id } = await stripe.paymentMethods.attach(token, { customer });
  return { customer, payment_method: id };
}

/** A payment that its owner does not attend. */
export const later = (
  saved: { customer: string; payment_method: string },
  amount = 500,
): Stripe.PaymentIntentCreateParams => ({
  ...saved,
  amount,
  currency: 'usd',
  allowed_payment_method_types: ['card'],
  off_session: true,
  confirm: true,
});
