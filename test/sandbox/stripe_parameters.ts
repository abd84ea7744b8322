import type Stripe from 'stripe';

// The parameters of the requests that the Stripe double answers, as the SDK types them. The schemas
// in sandbox/stripe/parameters.json are generated from here.

export type CustomerCreate = Pick<
  Stripe.CustomerCreateParams,
  'description' | 'email' | 'metadata' | 'name' | 'invoice_settings'
>;
export type CustomerUpdate = Pick<
  Stripe.CustomerUpdateParams,
  'description' | 'email' | 'metadata' | 'name' | 'invoice_settings'
>;
export type CustomerList = Stripe.CustomerListParams;
export type SessionCreate = Pick<
  Stripe.Checkout.SessionCreateParams,
  | 'adaptive_pricing'
  | 'cancel_url'
  | 'client_reference_id'
  | 'currency'
  | 'customer'
  | 'customer_creation'
  | 'customer_email'
  | 'expires_at'
  | 'line_items'
  | 'locale'
  | 'metadata'
  | 'mode'
  | 'payment_intent_data'
  | 'allowed_payment_method_types'
  | 'submit_type'
  | 'success_url'
  | 'ui_mode'
>;
export type SessionList = Stripe.Checkout.SessionListParams;
export type PaymentIntentCreate = Pick<
  Stripe.PaymentIntentCreateParams,
  | 'amount'
  | 'automatic_payment_methods'
  | 'capture_method'
  | 'confirm'
  | 'currency'
  | 'customer'
  | 'description'
  | 'error_on_requires_action'
  | 'metadata'
  | 'off_session'
  | 'payment_method'
  | 'allowed_payment_method_types'
  | 'receipt_email'
  | 'return_url'
  | 'setup_future_usage'
  | 'statement_descriptor_suffix'
>;
export type PaymentIntentConfirm = Pick<
  Stripe.PaymentIntentConfirmParams,
  'error_on_requires_action' | 'off_session' | 'payment_method' | 'return_url'
>;
export type PaymentIntentCancel = Stripe.PaymentIntentCancelParams;
export type PaymentIntentList = Stripe.PaymentIntentListParams;
export type PaymentMethodAttach = Stripe.PaymentMethodAttachParams;
export type PaymentMethodList = Stripe.PaymentMethodListParams;
export type ChargeList = Stripe.ChargeListParams;
export type RefundCreate = Stripe.RefundCreateParams;
export type RefundList = Stripe.RefundListParams;
export type DisputeList = Stripe.DisputeListParams;
export type EventList = Stripe.EventListParams;
export type BalanceTransactionList = Stripe.BalanceTransactionListParams;

// Parameters that Stripe has and the double does not are refused by their name.
export type CustomerCreateNames = keyof Stripe.CustomerCreateParams;
export type CustomerUpdateNames = keyof Stripe.CustomerUpdateParams;
export type SessionCreateNames = keyof Stripe.Checkout.SessionCreateParams;
export type PaymentIntentCreateNames = keyof Stripe.PaymentIntentCreateParams;
export type PaymentIntentConfirmNames = keyof Stripe.PaymentIntentConfirmParams;
