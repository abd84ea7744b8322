import { operation } from '../../../kernel/operation.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Input, Output, Type } from '../../../kernel/schema.ts';
import { column, execute, nullable, rows } from '../../../platform/rows.ts';
import type { CardGateway, StripePayment } from './card_gateway.ts';
import { MICROS_A_CENT } from './cents.ts';
import { readCardPayment } from './read_card_payment.ts';

const DAYS = 4;
const DAY_MS = 86_400_000;
/** Stripe may show a movement some time after its moment. */
const OVERLAP_MS = 2 * 3_600_000;
/** No day is begun later; the next run goes on. */
const READ_MS = 60_000;
/** Age below which a deposit is skipped: it may be newer than the list of Stripe. */
const LATELY = '10 minutes';

/**
 * Compares payments at Stripe with the deposits: those of the last days, and of any age those that
 * were refunded or disputed since the last comparison, because a chargeback may come after months
 * and its event may be lost. A payment that differs is read again, as if Stripe had sent an event.
 * A deposit that Stripe does not know is logged as an error, for an operator to investigate.
 */
export const reconcileCardPayments = operation({
  name: 'reconcile_card_payments',
  title: 'Reconcile payments by card',
  summary: 'Internal: compares payments, refunds and disputes at Stripe with the deposits.',
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
    since: new Date(tx.now.getTime() - DAYS * DAY_MS),
    now: tx.now,
    changedTo: await readCursor(tx),
  }),

  // Naming the gateway opens it, which fails without its settings.
  gather: async (gateways, _input, _call, { isOn, since, now, changedTo }) => {
    if (!isOn) return { since, changedTo, payments: undefined, changes: undefined };
    const payments = await gateways.card.listPayments(since);
    return {
      since,
      changedTo,
      payments,
      changes: await findChanges(gateways.card, changedTo, now),
    };
  },

  async handle(tx, _input, { payments: listed, changes, since, changedTo }) {
    if (!listed || !changes) return { payments: 0, differing: 0, unknown: 0 };
    const isOwn = ({ status, cardPaymentId }: StripePayment) => status === 'paid' && cardPaymentId;
    const payments = listed.filter(isOwn);
    await moveCursor(tx, changedTo, changes.to);
    const all = new Map(
      [...payments, ...changes.payments.filter(isOwn)].map((one) => [one.id, one]),
    );
    const differing = await findDiffering(tx, [...all.values()]);
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

/** The refunded and disputed payments of the days up to now, as many as there is time for. */
async function findChanges(card: CardGateway, changedTo: Date, now: Date) {
  const payments: StripePayment[] = [];
  const until = Date.now() + READ_MS;
  let to = changedTo;
  while (to < now && Date.now() < until) {
    const from = new Date(to.getTime() - OVERLAP_MS);
    to = new Date(Math.min(to.getTime() + DAY_MS, now.getTime()));
    payments.push(...(await card.listChanges({ from, to })));
  }
  return { payments, to };
}

/** Time up to which changes were compared; at first that of the first payment. */
async function readCursor({ db, config, now }: Tx): Promise<Date> {
  const network = config.deposits.card?.network;
  const [cursor] = await rows(
    db,
    { compared_to: nullable(column.time) },
    `select coalesce((select compared_to from stripe_cursor where network = $1),
                     (select min(created_at) from card_payment)) as compared_to`,
    [network],
  );
  return cursor?.compared_to ?? now;
}

/** Unless another run has moved it meanwhile: the next one reads from there. */
async function moveCursor({ db, config }: Tx, from: Date, to: Date): Promise<void> {
  await execute(
    db,
    `insert into stripe_cursor as c (network, compared_to) values ($1, $3)
     on conflict (network) do update set compared_to = $3 where c.compared_to = $2`,
    [config.deposits.card!.network, from, to],
  );
}

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
