/** What Stripe knows of a payment. Amounts are in cents. */
export interface StripePayment {
  readonly id: string;
  /** The card_payment that it is of, as we have told Stripe; undefined: it is not ours. */
  readonly cardPaymentId: string | undefined;
  readonly currency: string;
  readonly status: 'paid' | 'open' | 'failed';
  /** What was paid, less nothing. */
  readonly received: number;
  /** What of it went back, by refunds and by disputes that are not won. */
  readonly takenBack: number;
  /** The card that paid, if it may be charged again. */
  readonly savedCard?: SavedCard;
}

/** A card as Stripe names it. Its number never reaches us. */
export interface SavedCard {
  readonly customerId: string;
  readonly methodId: string;
  readonly brand: string;
  readonly last4: string;
}

/** A page on which Stripe takes a card. */
export interface CheckoutPage {
  readonly sessionId: string;
  readonly url: string;
}

export interface CheckoutRequest {
  readonly cardPaymentId: string;
  readonly cents: number;
  readonly agentId: number;
  /** Who has paid before. */
  readonly customerId: string | undefined;
  readonly savesCard: boolean;
  /** Where the payer goes then, without what says how it ended. */
  readonly returnUrl: string;
}

/** A charge without the owner of the card. */
export interface ChargeRequest {
  readonly cardPaymentId: string;
  readonly cents: number;
  readonly customerId: string;
  readonly methodId: string;
}

/** declined: nothing was charged, for a reason that is a word of Stripe's. */
export type ChargeOutcome = { readonly payment: StripePayment } | { readonly declined: string };

/** Our side of Stripe. What it throws may be tried again: keys make that harmless. */
export interface CardGateway {
  openCheckout(request: CheckoutRequest): Promise<CheckoutPage>;
  /** Undefined: there is none of this id. */
  readPayment(id: string): Promise<StripePayment | undefined>;
  /** Those of ours that were begun since then. */
  listPayments(since: Date): Promise<StripePayment[]>;
  /** Once for a cardPaymentId, within 24 hours. */
  chargeSavedCard(request: ChargeRequest): Promise<ChargeOutcome>;
  /** What became of a charge that was begun at `since`, without charging. */
  findCharge(request: ChargeRequest & { readonly since: Date }): Promise<ChargeOutcome>;
}
