import Stripe from 'stripe';

import { cardSettings } from '../shared/domains/deposits/rails.ts';
import {
  receiveStripeEvent,
  type StripeEvent,
} from '../shared/domains/deposits/card/stripe_events.ts';
import type { Context } from '../shared/composition/context.ts';
import { Refusal } from '../shared/kernel/refusal.ts';
import { refuseUnstorable } from '../shared/kernel/storable.ts';
import { readBytes } from './http/request.ts';
import type { Route } from './http/routes.ts';
import { openUnfinishedBodies } from './http/bodies/unfinished_bodies.ts';

/** Events have some kB; a payment with much metadata has more. */
const BODIES = { bytesMax: 256 * 1024, bodies: openUnfinishedBodies(8 * 1024 * 1024) };
/** Maximum age of a signature, so that a recorded request cannot be replayed later. */
const TOLERANCE_SECONDS = 300;

/**
 * The address to which Stripe sends its events. Stripe gets 200 once the event is committed, and
 * sends it again otherwise. This process has the secret for signatures, never the API key.
 */
export function stripeWebhookRoutes(context: Context): Route[] {
  return [
    {
      route: 'POST /webhooks/stripe',
      async handle(ctx) {
        const { webhookSecrets } = cardSettings(context.config);
        const signature = ctx.req.headers['stripe-signature'];
        const body = await readBytes(ctx, BODIES);
        const event = verified(body, String(signature ?? ''), webhookSecrets);
        await receiveStripeEvent(context, eventOf(event), ctx.state.requestId);
        ctx.body = JSON.stringify({ received: true });
      },
    },
  ];
}

/** The event, if one of the secrets signed exactly these bytes a short time ago. */
function verified(body: Buffer, signature: string, secrets: readonly string[]): Stripe.Event {
  for (const secret of secrets) {
    try {
      return Stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
    } catch {
      // The next secret may have signed it.
    }
  }
  throw new Refusal('bad_request', 'The signature is not from Stripe, or is too old.');
}

function eventOf({ id, type, data }: Stripe.Event): StripeEvent {
  const object = data.object as { object: string; id: string; payment_intent?: unknown };
  const paymentId = object.object === 'payment_intent' ? object.id : object.payment_intent;
  const event = { id, type, ...(typeof paymentId === 'string' && { payment_id: paymentId }) };
  refuseUnstorable(event);
  return event;
}
