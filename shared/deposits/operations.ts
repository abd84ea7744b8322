import { readCardPayment } from './card/read_card_payment.ts';
import { recordStripeEvent } from './card/record_stripe_event.ts';
import { stripeTopup } from './card/stripe_topup.ts';
import { collectOwed } from './collect_owed.ts';

/** Those of the specification's tools. */
export const CORE_DEPOSITS = [stripeTopup] as const;

/** Started by timers and by other operations. */
export const DEPOSIT_JOBS = [collectOwed, readCardPayment, recordStripeEvent] as const;
