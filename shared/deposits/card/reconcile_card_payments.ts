import { operation, type Tx } from '../../kernel/operation.ts';
import { Input, Output, Type } from '../../kernel/schema.ts';
import { column, nullable, rows } from '../../platform/rows.ts';
import type { StripePayment } from './card_gateway.ts';
import { MICROS_A_CENT } from './cents.ts';
import { readCardPayment } from './read_card_payment.ts';

const DAYS = 4;
/** What was credited so lately may have been paid after Stripe's list was made. */
const LATELY = '10 minutes';

/**
 * Compares the payments of the last days at Stripe with what was credited. What differs is read
 * again, as if Stripe had sent an event; a deposit that Stripe does not know is an error in the
 * log, for an operator to find out about.
 */
export const reconcileCardPayments = operation({
  name: 'reconcile_card_payments',
  title: 'Reconcile payments by card',
  summary: 'Internal: compares the payments of the last days at Stripe with the deposits.',
  access: 'operator',
  mode: 'job',
  domain: 'deposits',
  queue: 'network',
  everyMs: 3_600_000,
  gatherMs: 120_000,
  input: Input({}),
  output: Output({
    payments: Type.Integer({ description: 'How many of ours Stripe has been paid.' }),
    differing: Type.Integer({ description: 'Of those: what was credited is not that.' }),
    unknown: Type.Integer({ description: 'Deposits that Stripe does not know.' }),
  }),

  prepare: async (tx) => ({
    isOn: tx.config.deposits.card !== undefined && (await isUsed(tx)),
    since: new Date(tx.now.getTime() - DAYS * 86_400_000),
  }),

  // A gateway that is named is opened, and without its settings it cannot be.
  gather: async (gateways, _input, _call, { isOn, since }) => ({
    since,
    payments: isOn ? await gateways.card.listPayments(since) : undefined,
  }),

  async handle(tx, _input, { payments: listed, since }) {
    if (!listed) return { payments: 0, differing: 0, unknown: 0 };
    const payments = listed.filter(
      ({ status, cardPaymentId }) => status === 'paid' && cardPaymentId,
    );
    const differing = await findDiffering(tx, payments);
    for (const payment_id of differing) {
      tx.log.warn({ payment_id }, 'a payment at Stripe is not what was credited: it is read again');
      await tx.enqueue(readCardPayment, { payment_id }, { cause: `payment:${payment_id}` });
    }
    const unknown = await findUnknown(tx, payments, since);
    for (const deposit_id of unknown) {
      tx.log.error({ deposit_id }, 'Stripe does not know a payment that was credited');
    }
    return {
      payments: payments.length,
      differing: differing.length,
      unknown: unknown.length,
    };
  },
});

/** Whether anybody has ever asked to pay by card. */
async function isUsed({ db }: Pick<Tx, 'db'>): Promise<boolean> {
  const found = await rows(db, { id: column.text }, 'select id from card_payment limit 1');
  return found.length > 0;
}

/** The ids of payments that were not credited, or not as they are now. */
async function findDiffering(
  { db }: Tx,
  payments: readonly StripePayment[],
): Promise<readonly string[]> {
  const credited = await rows(
    db,
    { tx_id: column.text, usd: nullable(column.micros), reversed: nullable(column.micros) },
    `select p.id::text as tx_id, d.usd, d.reversed
       from unnest($1::text[]) as p(id)
       left join deposit d on d.rail = 'card' and d.tx_id = p.id`,
    [payments.map(({ id }) => id)],
  );
  const known = new Map(credited.map(({ tx_id, ...deposit }) => [tx_id, deposit]));
  return payments
    .filter(({ id, received, takenBack }) => {
      const { usd, reversed } = known.get(id)!;
      return (
        usd !== BigInt(received) * MICROS_A_CENT || reversed !== BigInt(takenBack) * MICROS_A_CENT
      );
    })
    .map(({ id }) => id);
}

/** The ids of deposits since then that are none of these payments. */
async function findUnknown(
  { db }: Tx,
  payments: readonly StripePayment[],
  since: Date,
): Promise<readonly number[]> {
  const found = await rows(
    db,
    { id: column.id },
    `select d.id from deposit d join card_payment p on p.deposit_id = d.id
      where p.created_at > $1 and d.credited_at < now() - interval '${LATELY}'
        and d.tx_id <> all ($2::text[]) order by d.id limit 100`,
    [since, payments.map(({ id }) => id)],
  );
  return found.map(({ id }) => id);
}
