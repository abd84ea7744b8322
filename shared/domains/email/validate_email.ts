import { operation } from '../../kernel/operation.ts';
import { Input, Output } from '../../kernel/schema.ts';
import { assertChargeable, charge, costsOf, spendOn } from '../wallet/charge.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { noteReplies, withoutDoubted } from './doubts/doubts.ts';
import { isAnswer, isLookedUp } from './findings.ts';
import { Email, examine, ONE, RESULT, resultOf, trimmed } from './validation.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';

export const validateEmail = operation({
  name: 'validate_email',
  title: 'Validate an email address',
  summary:
    'Judges an email address by its syntax, its domain (mail servers, disposable, free mail) and ' +
    'its mailbox name. Takes $0.002 from the wallet for an answer, a bad one too; nothing if the ' +
    'status is "unknown". Several at once: validate_emails.',
  phrasings: `
    is this mailbox real; check one e-mail address; does the address exist, can mail be
    delivered; disposable or fake mail address; verify the address jane@example.org; check MX
    before I send; is this a throwaway mailinator thing; will it bounce; does this inbox exist;
    catch-all, role or disposable; typo in an email domain; validate one contact; is
    bob@corp.com deliverable; check an email; is this email valid; can I send to this address;
    test an address; email verification; is it a disposable email; is the address spelled right;
    would my message bounce; verify customer email at signup; real or fake email; mail server of
    a domain; deliverability of one address; is it safe to send to this person; does that email
    exist; somebody gave me this email, is it genuine; check the spelling and domain of an
    email; one mail address, good or bad; will my mail reach them; is this a burner address`,
  access: 'any',
  mode: 'job',
  queue: 'network',
  rest: 'GET /api/v1/email/validate/:email',
  bindings: {
    alias: 'GET /api/v1/email/validate/', // The path of an empty address.
  },
  effects: { destructive: true, takes: 'charged' },
  gatherMs: 16_000,
  refusals: [...SPENDING_REFUSALS],
  input: Input({ email: Email }),
  output: Output('EmailValidation', RESULT),

  paid: {
    costs: costsOf('email'),
    soldWithoutKey: {},
    async costOf(_tx, { email }) {
      trimmed(email, '/email');
      return spendOn(ONE);
    },
  },

  /** Refuses a caller that cannot pay, before any lookup. */
  async prepare(tx, { email }) {
    trimmed(email, '/email');
    await assertChargeable(tx, ONE);
  },

  async gather(gateways, { email }, call) {
    const [findings] = await examine(gateways, [email], call);
    return findings!;
  },

  async handle(tx, { email }, findings) {
    if (!isLookedUp(findings)) throw notLookedUp();
    const [finding] = await withoutDoubted(tx, [findings]);
    const charged = isAnswer(finding!) ? await charge(tx, ONE) : undefined;
    await noteReplies(tx, [{ email, finding: finding! }], charged?.id);
    return resultOf(email, finding!, tx.now);
  },
});

const notLookedUp = () =>
  new Refusal(
    'service_unavailable',
    'The platform can look up no domain at the moment, so nothing is known about the address. ' +
      'Nothing was charged: retry later.',
    { sub_status: 'no_dns', charged: 0 },
  );
