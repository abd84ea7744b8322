import { childJobAnswers, awaitChildJobs, childJobCounts } from '../../jobs/child_jobs.ts';
import { fromUsd, toUsd } from '../../kernel/money.ts';
import { WAIT_FOR_CHILD_JOBS, operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Amount, Input, invalid, OneOf, Output, Type, type Static } from '../../kernel/schema.ts';
import { assertChargeable, costsOf, spendOn } from '../wallet/charge.ts';
import { parseAddress } from '../../kernel/mail_address.ts';
import { BatchResult, unanswered } from './batch.ts';
import { checkEmails } from './check_emails.ts';
import { PIECE_MAX } from './sale.ts';
import { Email, refusalOfBlank } from './validation.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';

/** Maximum addresses of one call. */
const EMAILS_MAX = 1_000;
/** Maximum blank addresses that a refusal names. */
const TOLD_MAX = 20;
/** Maximum child jobs of a call: the smallest pieces that a release has made are of a hundred. */
const PIECES_MAX = EMAILS_MAX / 100;

export const validateEmails = operation({
  name: 'validate_emails',
  title: 'Validate many email addresses',
  summary:
    'Judges up to 1 000 email addresses by syntax, domain and mailbox name, and answers when all ' +
    'are done, in your order. Takes $0.002 from the wallet for each address that is answered, once ' +
    'however often you list it. Starts only if the wallet and your limits cover them all.',
  phrasings: `
    clean a mailing list; check many e-mail addresses at once; bulk or batch of addresses;
    verify a list of contacts; scrub my newsletter list; verify 500 addresses in one go; CSV of
    contacts, which bounce; mass verification of subscribers; remove dead emails from my CRM;
    bulk check; check a list of emails; verify many addresses; email list cleaning; bulk
    verification; which of these emails are valid; validate all my contacts; array of emails; I
    have a file of emails, check them; which of these addresses are dead; a whole list of
    emails; check these ten addresses; verify emails in bulk; weed out bad addresses`,
  access: 'any',
  mode: 'job',
  queue: 'network',
  rest: 'POST /api/v1/email/validate',
  effects: { destructive: true, takes: 'charged' },
  refusals: [...SPENDING_REFUSALS],
  input: Input({
    emails: Type.Array(Email, { minItems: 1, maxItems: EMAILS_MAX, description: 'The addresses.' }),
  }),
  output: Output('BatchValidationList', {
    status: OneOf(
      ['complete', 'partial'],
      'partial: money or a limit ran out; "unpaid" addresses were not charged.',
    ),
    count: Type.Integer({ description: 'Number of addresses sent.' }),
    answered: Type.Integer({ description: 'Number of addresses answered.' }),
    charged: Amount('Total charge.'),
    results: Type.Array(BatchResult, { description: 'One result per address, in your order.' }),
  }),

  paid: {
    costs: costsOf('email', EMAILS_MAX),
    soldWithoutKey: {},
    async costOf(_tx, { emails }) {
      return spendOn({ service: 'email', units: distinctOf(emails).distinct.length });
    },
  },

  async handle(tx, { emails }) {
    const { trimmedEmails, distinct } = distinctOf(emails);
    const children = { parent: tx.key, cause: 'pieces', count: PIECES_MAX };
    const { started, pending } = await childJobCounts(tx.db, children);
    if (started === 0) {
      await assertChargeable(tx, { service: 'email', units: distinct.length });
      const pieces = inPieces(distinct, PIECE_MAX);
      const inputs = pieces.map((piece) => ({ emails: piece, batch: tx.key }));
      await tx.enqueueAll(checkEmails, inputs, { cause: 'pieces' });
    }
    if (started === 0 || pending > 0) {
      await awaitChildJobs(tx.db, tx.key, distinct.length);
      return WAIT_FOR_CHILD_JOBS;
    }
    const answers = (await childJobAnswers(tx.db, children)) as (
      { results: Result[] } | undefined
    )[];
    const results = answers.flatMap((answer) => answer?.results ?? []);
    return totalOf(
      tx,
      trimmedEmails,
      new Map(results.map((result) => [keyOf(result.email), result])),
    );
  },
});

type Result = Static<typeof BatchResult>;

const inPieces = (emails: readonly string[], size: number) =>
  Array.from({ length: Math.ceil(emails.length / size) }, (_, n) =>
    emails.slice(n * size, (n + 1) * size),
  );

/** A key that is equal for all spellings of one address. */
function keyOf(email: string): string {
  const address = parseAddress(email);
  return address ? `${address.local}@${address.domain}` : email;
}

/** The answer: an address listed twice was validated and charged once, where it is first. */
function totalOf(tx: Tx, emails: string[], found: ReadonlyMap<string, Result>) {
  const told = new Set<string>();
  const results = emails.map((email) => {
    const key = keyOf(email);
    const result = found.get(key) ?? unanswered(email, 'internal_error', tx.now);
    const isRepeat = told.has(key);
    told.add(key);
    return { ...result, email, charged: isRepeat ? 0 : result.charged };
  });
  const charges = [...found.values()].map((result) => fromUsd(result.charged));
  return {
    status: results.some(({ status }) => status === 'unpaid')
      ? ('partial' as const)
      : ('complete' as const),
    count: emails.length,
    answered: results.filter(({ status }) => status !== 'unpaid' && status !== 'unknown').length,
    charged: toUsd(charges.reduce((a, b) => a + b, 0n)),
    results,
  };
}

/** Each address once, in the spelling that came last. */
function distinctOf(emails: readonly string[]) {
  const trimmedEmails = emails.map((email) => email.trim());
  const blank = trimmedEmails.flatMap((email, n) =>
    email ? [] : [refusalOfBlank(`/emails/${n}`)],
  );
  if (blank.length > 0) throw invalid(blank.slice(0, TOLD_MAX));
  const distinct = [...new Map(trimmedEmails.map((email) => [keyOf(email), email])).values()];
  return { trimmedEmails, distinct };
}
