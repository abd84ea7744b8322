import { operation } from '../../../kernel/operation.ts';
import { Input, Output, Text, Type } from '../../../kernel/schema.ts';
import { cardSettings } from '../rails.ts';

const NAME = 'forget_cards';
const SPEC = Input({ customer_id: Text(1, 255, 'Id of the customer at Stripe.') });
const AGAIN_MS = 30 * 60_000;

/** Removes the cards of an owner at Stripe, once its account is closed. */
export const forgetCards = operation({
  name: NAME,
  title: 'Forget the cards of a closed account',
  summary: 'Internal: removes the cards that the owner of a closed account had saved at Stripe.',
  access: 'operator',
  mode: 'job',
  queue: 'network',
  input: SPEC,
  output: Output({ forgotten: Type.Integer({ description: 'Cards removed.' }) }),

  prepare: async ({ config }) => void cardSettings(config),

  gather: ({ card }, { customer_id }) => card.forgetCards(customer_id),

  handle: async (_tx, _input, forgotten) => ({ forgotten }),

  ends: {
    /** Nobody else removes them, so the job goes on until Stripe has done it. */
    async onGiveUp(tx, input) {
      await tx.enqueue(itself, input, { cause: 'again', delayMs: AGAIN_MS });
      return 'fail';
    },
  },
});

const itself = { name: NAME, queue: 'network', input: SPEC } as const;
