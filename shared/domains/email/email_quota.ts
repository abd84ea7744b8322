import { balanceOf, sumOf } from '../ledger/ledger.ts';
import { toUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { Amount, Input, Output, Type } from '../../kernel/schema.ts';
import { METERED, unitsToday, unitsWithin } from '../wallet/charge.ts';

export const emailQuota = operation({
  name: 'email_quota',
  title: 'Show the quota of email validation',
  summary:
    'Shows the price of one email validation, the number that your balance and limits allow, ' +
    'and the number charged today. To validate, use validate_email. Free.',
  phrasings: `
    what does an address check cost; how many e-mail checks can I afford; checks used today,
    remaining e-mail validations; allowance left for mailbox verification; how many address
    checks do I have remaining; price per email check; did I use up my validations; email
    credits; how much is one verification; how many validations are left; email check limit;
    price of email validation; my validation usage; budget for email checks; how often can I
    still verify; quota for mail; used email checks today; how far does my money go for email
    checks; am I close to the email limit; what do you charge for checking email; validations I
    can still do; number of mail checks today`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/email/quota',
  input: Input({}),
  output: Output('EmailQuota', {
    price: Amount('Price of one validation.'),
    balance: Amount('Spendable balance.'),
    affordable: Type.Integer({ description: 'Validations allowed by balance and limits.' }),
    used_today: Type.Integer({
      description: 'Validations charged today (UTC) to this agent and its children.',
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
