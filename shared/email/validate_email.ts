import { operation } from '../kernel/operation.ts';
import { Input, Output } from '../kernel/schema.ts';
import { assertChargeable, charge, costsOf, spendOn } from '../wallet/charge.ts';
import { isAnswer } from './findings.ts';
import { Email, examine, ONE, RESULT, resultOf, trimmed } from './validation.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';

export const validateEmail = operation({
  name: 'validate_email',
  title: 'Validate an email address',
  summary:
    'Judges an email address by its syntax, its domain (mail servers, disposable, free mail) and ' +
    'its mailbox name. Takes $0.002 from the wallet for an answer, a bad one too; nothing where ' +
    'the status is "unknown". Several at once: validate_emails.',
  access: 'any',
  mode: 'job',
  domain: 'email',
  queue: 'network',
  rest: 'GET /api/v1/email/validate/:email',
  alias: 'GET /api/v1/email/validate/', // What is left where the address is empty.
  core: true,
  destructive: true,
  gatherMs: 16_000,
  refusals: [...SPENDING_REFUSALS],
  input: Input({ email: Email }),
  output: Output('EmailValidation', RESULT),

  costs: costsOf('email'),
  soldWithoutKey: {},
  async costOf(_tx, { email }) {
    trimmed(email, '/email');
    return spendOn(ONE);
  },

  /** A caller that cannot pay has no look-ups made. */
  async prepare(tx, { email }) {
    trimmed(email, '/email');
    await assertChargeable(tx, ONE);
  },

  async gather(gateways, { email }, call) {
    const [findings] = await examine(gateways, [email], call);
    return findings!;
  },

  async handle(tx, { email }, findings) {
    if (isAnswer(findings)) await charge(tx, ONE);
    return resultOf(email, findings, tx.now);
  },
});
