import { operation } from '../../../kernel/operation.ts';
import { Amount, Input, Output, Text, Type } from '../../../kernel/schema.ts';
import { fromUsd, toUsd } from '../../../kernel/money.ts';
import { execute } from '../../../platform/rows.ts';
import { cardSettings } from '../rails.ts';
import { MICROS_A_CENT, wholeCents } from './cents.ts';
import { findSavedCard } from './saved_card.ts';

/** Dollars. The minimum is that of Stripe. */
const AMOUNT = { min: 0.5, max: 10_000 };

export const stripeTopup = operation({
  name: 'stripe_topup',
  title: 'Add money by card',
  summary:
    'Opens a Stripe page on which a person pays by card into the wallet, and returns its URL: ' +
    'show it to your owner. The money arrives some seconds after the payment (event ' +
    'deposit.credited). To pay without a person, see solana_info or evm_info. No fee.',
  phrasings: `
    pay in by credit card; add dollars with visa or mastercard; top up or fund the wallet by
    card; checkout link to load money; load 50 dollars with a credit card; link where my owner
    can pay; fund the account by Visa; buy balance by bank card; Stripe checkout page; add money
    without crypto; Apple Pay or Google Pay; pay with a card; add balance; recharge my account;
    put money in; buy credits; deposit dollars with debit card; payment page for funding; I need
    more money in the wallet; load funds; prepay; give me a link to pay; I am out of funds, add
    some; I need to put cash in; give me a payment link; fill up my wallet; credit card deposit;
    pay with plastic; charge my card once; get funds in by bank card; my wallet is empty, let me
    pay; add fifty bucks`,
  access: 'buy',
  mode: 'job',
  queue: 'network',
  rest: 'POST /api/v1/wallet/topup',
  refusals: ['rail_unavailable'],
  input: Input({
    amount: Type.Number({
      minimum: AMOUNT.min,
      maximum: AMOUNT.max,
      description: `USD in whole cents, $${AMOUNT.min} to $${AMOUNT.max}.`,
    }),
    save_card: Type.Optional(
      Type.Boolean({ description: 'Saves the card for set_auto_recharge. False if absent.' }),
    ),
  }),
  defaults: { save_card: false },
  output: Output('CardTopup', {
    checkout_url: Text(1, 4_000, 'Payment page for a person, valid 24 hours.'),
    session_id: Text(1, 255, 'Id of the page at Stripe.'),
    amount: Amount('Amount to pay.'),
    network: Text(1, 40, 'stripe or sandbox (test cards, test money).'),
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

  /** Nobody knows the URL before this is committed, so nothing can be paid before. */
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
