import { operation } from '../../../kernel/operation.ts';
import { Input, OneOf, Output, Text } from '../../../kernel/schema.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';
import { cardSettings } from '../rails.ts';
import { settleCardPayment } from './settle_card_payment.ts';

const NAME = 'read_card_payment';
const SPEC = Input({ payment_id: Text(1, 255, 'Id of the payment at Stripe.') });

/**
 * Reads a payment at Stripe and records its state in the books. The content of an event is not
 * used: events come late, twice and in any order.
 */
export const readCardPayment = operation({
  name: NAME,
  title: 'Read a payment by card',
  summary: 'Internal: credits or reverses a card payment by its state at Stripe.',
  access: 'operator',
  mode: 'job',
  queue: 'network',
  input: SPEC,
  output: Output({
    outcome: OneOf(['foreign', 'outdated', 'settled'], 'Outcome of the reading.'),
  }),

  async prepare(tx, { payment_id }) {
    cardSettings(tx.config);
    return readsOf(tx.db, payment_id);
  },

  gather: async ({ card }, { payment_id }, _call, reads) => ({
    reads,
    payment: await card.readPayment(payment_id),
  }),

  async handle(tx, input, { payment, reads }) {
    const outcome = await settleCardPayment(tx, payment, reads);
    if (outcome === 'outdated') await tx.enqueue(itself, input, { cause: 'again' });
    return { outcome };
  },
});

const itself = { name: NAME, queue: 'network', input: SPEC } as const;

/** Number of recorded readings of a payment. */
async function readsOf(db: Database, paymentId: string): Promise<number> {
  const sql = 'select reads from card_payment where payment_id = $1';
  const [known] = await rows(db, { reads: column.int }, sql, [paymentId]);
  return known?.reads ?? 0;
}
