import { balanceOf, sumOf } from '../ledger/ledger.ts';
import { toUsd } from '../ledger/money.ts';
import { operation } from '../kernel/operation.ts';
import { Amount, Input, Output, Type } from '../kernel/schema.ts';
import { METERED, unitsToday, unitsWithin } from '../wallet/charge.ts';

export const emailQuota = operation({
  name: 'email_quota',
  title: 'See what email validation costs you',
  summary:
    'Shows the price of one email validation, how many your wallet and your limits allow now, ' +
    'and how many you were charged for today. Free.',
  access: 'any',
  mode: 'read',
  domain: 'email',
  rest: 'GET /api/v1/email/quota',
  core: true,
  input: Input({}),
  output: Output('EmailQuota', {
    price: Amount('Of one validation.'),
    balance: Amount('What can be spent.'),
    affordable: Type.Integer({ description: 'Validations that balance and limits allow now.' }),
    used_today: Type.Integer({
      description: 'Charged for today (UTC), of this agent and its children.',
    }),
  }),

  async handle(tx) {
    const balance = sumOf(await balanceOf(tx.db, tx.caller.rootId));
    return {
      price: toUsd(METERED.email.unitPrice),
      balance: toUsd(balance),
      affordable: await unitsWithin(tx, 'email'),
      used_today: await unitsToday(tx, 'email'),
    };
  },
});
