import { operation } from '../../../kernel/operation.ts';
import { Input, Output, Text, Type } from '../../../kernel/schema.ts';
import { execute } from '../../../platform/rows.ts';
import { readCardPayment } from './read_card_payment.ts';

export const recordStripeEvent = operation({
  name: 'record_stripe_event',
  title: 'Record an event of Stripe',
  summary:
    'Internal: records an event signed by Stripe and starts the reading of its payment, once.',
  access: 'any',
  mode: 'write',
  input: Input({
    id: Text(1, 255, 'The event.'),
    type: Text(1, 255, 'Type of the event.'),
    payment_id: Type.Optional(Text(1, 255, 'The payment of the event.')),
  }),
  output: Output({ is_new: Type.Boolean({ description: 'The event was new.' }) }),

  async handle(tx, { id, type, payment_id }) {
    const recorded = await execute(
      tx.db,
      'insert into stripe_event (id, type) values ($1, $2) on conflict do nothing returning id',
      [id, type],
    );
    if (recorded === 1 && payment_id !== undefined) {
      await tx.enqueue(readCardPayment, { payment_id }, { cause: 'event' });
    }
    return { is_new: recorded === 1 };
  },
});
