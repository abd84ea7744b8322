/** A payment as Stripe reports it. Amounts are in cents. */
export interface StripePayment {
  readonly id: string;
  /** Our card_payment, from the metadata at Stripe; undefined: the payment is not ours. */
  readonly cardPaymentId: string | undefined;
  readonly currency: string;
  readonly status: 'paid' | 'open' | 'failed';
  /** Amount paid, before refunds and fees. */
  readonly received: number;
  /** Amount returned by refunds and by disputes that are not won. */
  readonly takenBack: number;
  /** The card that paid, if it may be charged again. */
  readonly savedCard?: SavedCard;
}

/** A card by its ids at Stripe. Its number never reaches us. */
export interface SavedCard {
  readonly customerId: string;
  readonly methodId: string;
  readonly brand: string;
  readonly last4: string;
}

/** A page of Stripe for a payment by card. */
interface CheckoutPage {
  readonly sessionId: string;
  readonly url: string;
}

interface CheckoutRequest {
  readonly cardPaymentId: string;
  readonly cents: number;
  readonly agentId: number;
  /** The customer at Stripe, if the tree has paid before. */
  readonly customerId: string | undefined;
  readonly savesCard: boolean;
  /** URL that the payer returns to, without the parameter for the outcome. */
  readonly returnUrl: string;
}

/** A charge of a saved card, without its owner present. */
interface ChargeRequest {
  readonly cardPaymentId: string;
  readonly cents: number;
  readonly customerId: string;
  readonly methodId: string;
}

/** declined: nothing was charged; the reason is a code of Stripe. */
export type ChargeOutcome = { readonly payment: StripePayment } | { readonly declined: string };

/** Calls to Stripe. A call that throws may be repeated: idempotency keys make that safe. */
export interface CardGateway {
  openCheckout(request: CheckoutRequest): Promise<CheckoutPage>;
  /** Undefined: no payment has this id. */
  readPayment(id: string): Promise<StripePayment | undefined>;
  /** Our payments that were begun since then. */
  listPayments(since: Date): Promise<StripePayment[]>;
  /** Our payments that were refunded or disputed, or got money back, between these times. */
  listChanges(times: { readonly from: Date; readonly to: Date }): Promise<StripePayment[]>;
  /** Charges once for a cardPaymentId within 24 hours. */
  chargeSavedCard(request: ChargeRequest): Promise<ChargeOutcome>;
  /** Finds the outcome of a charge begun at `since`, without charging. */
  findCharge(request: ChargeRequest & { readonly since: Date }): Promise<ChargeOutcome>;
  /** Removes all cards of a customer, and returns their number. None are left afterwards. */
  forgetCards(customerId: string): Promise<number>;
}
