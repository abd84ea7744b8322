import { operation } from '../../../kernel/operation.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Input, Output, Type } from '../../../kernel/schema.ts';
import { column, nullable, rows } from '../../../platform/rows.ts';
import type { StripePayment } from './card_gateway.ts';
import { MICROS_A_CENT } from './cents.ts';
import { readCardPayment } from './read_card_payment.ts';

const DAYS = 4;
/** Age below which a deposit is skipped: it may be newer than the list of Stripe. */
const LATELY = '10 minutes';

/**
 * Compares the payments of the last days at Stripe with the deposits. A payment that differs is
 * read again, as if Stripe had sent an event. A deposit that Stripe does not know is logged as an
 * error, for an operator to investigate.
 */
export const reconcileCardPayments = operation({
  name: 'reconcile_card_payments',
  title: 'Reconcile payments by card',
  summary: 'Internal: compares the payments of the last days at Stripe with the deposits.',
  access: 'operator',
  mode: 'job',
  queue: 'network',
  everyMs: 3_600_000,
  gatherMs: 120_000,
  input: Input({}),
  output: Output({
    payments: Type.Integer({ description: 'Number of our paid payments at Stripe.' }),
    differing: Type.Integer({ description: 'Number whose deposit differs.' }),
    unknown: Type.Integer({ description: 'Deposits that Stripe does not know.' }),
  }),

  prepare: async (tx) => ({
    isOn: tx.config.deposits.card !== undefined && (await isUsed(tx)),
    since: new Date(tx.now.getTime() - DAYS * 86_400_000),
  }),

  // Naming the gateway opens it, which fails without its settings.
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

/** Whether any card payment was ever begun. */
async function isUsed({ db }: Pick<Tx, 'db'>): Promise<boolean> {
  const found = await rows(db, { id: column.text }, 'select id from card_payment limit 1');
  return found.length > 0;
}

/** The ids of payments that were not credited, or whose credit differs. */
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

/** The ids of deposits since then that match none of these payments. */
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
