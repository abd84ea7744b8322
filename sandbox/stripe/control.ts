import type Stripe from 'stripe';

import type { Account } from './account.ts';
import type { DeclineCode } from './cards.ts';
import { chargesOf, findCharge } from './objects/charges.ts';
import { closeDispute, createDispute, type Begun, type DisputeStep } from './objects/disputes.ts';
import { findPaymentIntent } from './objects/payment_intents.ts';
import { cardOf, findPaymentMethod } from './objects/payment_methods.ts';
import { missing } from './refusal.ts';
import type { SavedCard } from './store.ts';
import type { Delivery, Tampering, WebhookSender } from './webhooks.ts';

/** A failure of requests: before they are handled, or of their answer. */
export interface Interruption {
  /** A request such as `POST /v1/payment_intents`; absent: any. */
  readonly request?: string;
  readonly how:
    'no answer' | 'disconnected' | 'answer lost' | 'answer delayed' | 'server error' | 'rate limit';
  /** Number of requests; 1 if absent. */
  readonly times?: number;
}

/** Actions of Stripe's dashboard, the bank and the network, for tests and for trying out. */
export interface StripeControl {
  /** Makes the bank take a payment back; all of it without an amount. */
  chargeback(request: { readonly payment_intent: string } & Begun): Stripe.Dispute;
  closeDispute(request: { readonly dispute: string; readonly status: DisputeStep }): Stripe.Dispute;
  /** Makes a payment so many days older. */
  age(request: { readonly payment_intent: string; readonly days: number }): void;
  /** Makes all events older than Stripe lists. */
  forgetEvents(): void;
  /** Makes the bank decline a card from now on, or stop declining it. */
  declineCard(request: {
    readonly payment_method: string;
    readonly as?: DeclineCode | undefined;
  }): SavedCard;
  /** Attempts to charge a payment; without one, all attempts. */
  charges(request?: { readonly payment_intent?: string }): Stripe.Charge[];
  /** Makes the next requests fail. */
  interrupt(interruption: Interruption): void;
  /** Ends all failures. */
  endInterruptions(): void;
  holdEvents(): void;
  releaseEvents(request?: { readonly order?: 'oldest first' | 'newest first' }): Promise<void>;
  /** Sends an event again, `times` at once, and returns the status codes. */
  sendEvent(
    request: { readonly event: string; readonly times?: number } & Tampering,
  ): Promise<number[]>;
  deliveries(): readonly Delivery[];
  /** Resolves when every event was sent at least once and every delivery is answered. */
  settled(): Promise<void>;
}

export function controlOf(
  account: Account,
  sender: WebhookSender,
  interruptions: Interruption[],
): StripeControl {
  const { store } = account;
  return {
    chargeback({ payment_intent, ...dispute }) {
      const { latest_charge } = findPaymentIntent(account, payment_intent);
      return createDispute(account, findCharge(account, latest_charge as string), dispute);
    },
    closeDispute: ({ dispute, status }) => closeDispute(account, dispute, status),
    age({ payment_intent, days }) {
      const intent = findPaymentIntent(account, payment_intent);
      store.save({ ...intent, created: intent.created - days * 86_400 });
    },
    forgetEvents() {
      const created = account.now() - 31 * 86_400;
      for (const event of store.all('event')) store.save({ ...event, created });
    },
    declineCard({ payment_method, as }) {
      const { declined: _, ...card } = cardOf(account, findPaymentMethod(account, payment_method));
      return store.save<SavedCard>({ ...card, ...(as && { declined: { as, when: 'always' } }) });
    },
    charges: ({ payment_intent } = {}) =>
      payment_intent ? chargesOf(account, payment_intent) : store.all('charge'),
    interrupt({ times = 1, ...interruption }) {
      for (let n = 0; n < times; n += 1) interruptions.push(interruption);
    },
    endInterruptions: () => void interruptions.splice(0),
    holdEvents: () => sender.hold(),
    releaseEvents: ({ order } = {}) => sender.release(order),
    async sendEvent({ event: id, times = 1, ...tampering }) {
      const event = store.find('event', id);
      if (!event) throw missing('event', id);
      const sent = Array.from({ length: times }, () => sender.sendNow(event, tampering));
      return (await Promise.all(sent)).flat();
    },
    deliveries: () => sender.deliveries,
    settled: () => sender.settled(),
  };
}
