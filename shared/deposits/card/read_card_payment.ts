import { operation } from '../../kernel/operation.ts';
import { Input, OneOf, Output, Text } from '../../kernel/schema.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import { cardSettings } from '../rails.ts';
import { settleCardPayment } from './settle_card_payment.ts';

const NAME = 'read_card_payment';
const SPEC = Input({ payment_id: Text(1, 255, 'At Stripe.') });

/**
 * Asks Stripe what became of a payment, and makes the books say that. What an event says of it is
 * not believed: events come late, twice, and in any order.
 */
export const readCardPayment = operation({
  name: NAME,
  title: 'Read a payment by card',
  summary: 'Internal: credits a payment by card, or takes it back, as Stripe says now.',
  access: 'operator',
  mode: 'job',
  domain: 'deposits',
  queue: 'network',
  input: SPEC,
  output: Output({
    outcome: OneOf(['foreign', 'outdated', 'settled'], 'What became of it.'),
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

/** How many readings of it were recorded. */
export async function readsOf(db: Database, paymentId: string): Promise<number> {
  const sql = 'select reads from card_payment where payment_id = $1';
  const [known] = await rows(db, { reads: column.int }, sql, [paymentId]);
  return known?.reads ?? 0;
}
