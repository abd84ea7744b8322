import { operation } from '../../kernel/operation.ts';
import { Amount, Input, Output, Text, Type } from '../../kernel/schema.ts';
import { fromUsd, toUsd } from '../../ledger/money.ts';
import { execute } from '../../platform/rows.ts';
import { cardSettings } from '../rails.ts';
import { MICROS_A_CENT, wholeCents } from './cents.ts';
import { findSavedCard } from './saved_card.ts';

/** In dollars. Stripe takes no less than the least. */
const AMOUNT = { min: 0.5, max: 10_000 };

export const stripeTopup = operation({
  name: 'stripe_topup',
  title: 'Add money by card',
  summary:
    'Opens a page of Stripe on which a person pays by card into the wallet. Answers its address; ' +
    'the money is in the wallet some seconds after it was paid (event deposit.credited). No fee.',
  access: 'buy',
  mode: 'job',
  domain: 'deposits',
  queue: 'network',
  rest: 'POST /api/v1/wallet/topup',
  core: true,
  refusals: ['rail_unavailable'],
  input: Input({
    amount: Type.Number({
      minimum: AMOUNT.min,
      maximum: AMOUNT.max,
      description: `USD in whole cents, $${AMOUNT.min} to $${AMOUNT.max}.`,
    }),
    save_card: Type.Optional(
      Type.Boolean({
        description:
          'Keep the card, so that set_auto_recharge can charge it later. false if absent.',
      }),
    ),
  }),
  output: Output('CardTopup', {
    checkout_url: Text(1, 4_000, 'Where a person pays, within 24 hours.'),
    session_id: Text(1, 255, 'Of that page, at Stripe.'),
    amount: Amount('What is paid there.'),
    network: Text(1, 40, 'stripe; sandbox: play money, which test cards pay.'),
  }),

  async prepare(tx, { amount }) {
    cardSettings(tx.config);
    wholeCents(amount, '/amount');
    const { agentId, rootId } = tx.caller;
    const saved = await findSavedCard(tx.db, rootId);
    return { agentId, customerId: saved?.customerId, returnUrl: `${tx.config.api.publicUrl}/` };
  },

  gather: ({ card }, { amount, save_card: savesCard = false }, { key }, prepared) =>
    card.openCheckout({
      ...prepared,
      cardPaymentId: key,
      cents: Number(fromUsd(amount) / MICROS_A_CENT),
      savesCard,
    }),

  /** The address is known to nobody before this is committed, so nothing can be paid before. */
  async handle(tx, { amount, save_card: savesCard = false }, { sessionId, url }) {
    const { agentId, rootId } = tx.caller;
    await execute(
      tx.db,
      `insert into card_payment (id, agent_id, root_id, amount, saves_card, session_id)
       values ($1, $2, $3, $4, $5, $6)`,
      [tx.key, agentId, rootId, fromUsd(amount), savesCard, sessionId],
    );
    const { network } = cardSettings(tx.config);
    return { checkout_url: url, session_id: sessionId, amount: toUsd(fromUsd(amount)), network };
  },
});
