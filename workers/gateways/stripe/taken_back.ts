import type Stripe from 'stripe';

/** Events of refunds and disputes. Stripe keeps them for 30 days. */
const EVENTS = [
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
];
/** Movements of the balance when money goes back or comes again. Stripe keeps them for ever. */
const MOVEMENTS = ['adjustment', 'refund', 'refund_failure', 'payment_reversal'];

/**
 * Ids of the payments that were refunded or disputed between these times, by the events and by the
 * balance of the account: an event may be lost, and a movement is there later than its event.
 */
export async function changedIn(
  stripe: Stripe,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<Set<string>> {
  const created = { gte: secondsOf(from), lte: secondsOf(to) };
  const changed = new Set<string>();
  const add = (object: unknown) => {
    const { payment_intent: payment } = (object ?? {}) as { payment_intent?: unknown };
    const id = typeof payment === 'string' ? payment : (payment as { id?: unknown } | null)?.id;
    if (typeof id === 'string') changed.add(id);
  };
  for await (const { data } of stripe.events.list({ created, types: EVENTS, limit: 100 })) {
    add(data.object);
  }
  for (const type of MOVEMENTS) {
    const listed = { created, type, expand: ['data.source'], limit: 100 };
    for await (const { source } of stripe.balanceTransactions.list(listed)) add(source);
  }
  return changed;
}

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** The amount of a payment that disputes hold, in its currency. */
export async function disputedOf(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<number> {
  const { data } = await stripe.disputes.list({ payment_intent: intent.id, limit: 100 });
  return data
    .filter(({ status }) => takesMoney(status))
    .reduce((sum, dispute) => sum + heldBy(dispute, intent), 0);
}

/** An inquiry takes nothing, nor does one that was prevented; a won one has returned it. */
const takesMoney = (status: string): boolean =>
  !['won', 'prevented'].includes(status) && !status.startsWith('warning_');

/**
 * A dispute may be in the currency of its card: then what left the balance counts, and all of the
 * payment where the balance is in a third one.
 */
function heldBy(dispute: Stripe.Dispute, intent: Stripe.PaymentIntent): number {
  const { currency, amount_received: received } = intent;
  if (dispute.currency === currency) return dispute.amount;
  const moved = dispute.balance_transactions.filter((one) => one.currency === currency);
  return moved.length === 0 ? received : -moved.reduce((sum, { amount }) => sum + amount, 0);
}
