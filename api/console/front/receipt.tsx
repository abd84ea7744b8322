import type { AnswerOf } from '../answers.ts';
import { page, type PageQuery } from '../page.ts';
import { Card, Lead } from '../parts/card.tsx';
import { Usd, When, wordsOf } from '../parts/text.tsx';

/** Path of the page, for links to a receipt that it verifies. */
export const VERIFY_PATH = '/receipts';

/** No receipt has more characters. */
export const CHARS_MAX = 8_000;

/** Verifies a receipt that somebody has pasted, for everybody. */
export const receipt = page({
  path: VERIFY_PATH,
  title: 'Verify a receipt',
  access: 'public',
  reads: {
    verified: [
      'verify_receipt',
      ({ query: { receipt: text = '' } }: PageQuery) =>
        text.trim() === '' || text.length > CHARS_MAX ? undefined : { receipt: text },
    ],
  },
  head: () => ({
    description: 'Was this receipt signed here, and what does it say? Paste it to find out.',
    canonical: VERIFY_PATH,
  }),
  view: ({ verified }, { query }) => (
    <>
      <Lead title="Verify a receipt">
        <p>
          Each settled deal has a signed receipt, which its parties can show to anybody. Paste one:
          this page says whether it was signed here, and what it says.
        </p>
      </Lead>
      {verified && <Verdict verified={verified} />}
      {isTooLong(query) && (
        <div class="message owed" role="alert">
          <p>
            This is longer than any receipt. Paste one receipt alone, without what is around it.
          </p>
        </div>
      )}
      <Card id="paste" title="The receipt">
        {/* By POST: an address holds less than a person may paste. */}
        <form class="form" method="post" action={VERIFY_PATH}>
          <span class="field">
            <label for="receipt">Signed receipt</label>
            <textarea id="receipt" name="receipt" rows={6} required>
              {isTooLong(query) ? '' : (query.receipt ?? '')}
            </textarea>
            <small class="dim">Three parts with dots between them. It begins with eyJ.</small>
          </span>
          <button class="button main">Verify</button>
        </form>
        <p class="dim">
          Any program verifies it too (<a href="/docs/receipts">how</a>), with the{' '}
          <a href="/.well-known/jwks.json">public keys</a>.
        </p>
      </Card>
    </>
  ),
});

const isTooLong = ({ receipt: text = '' }: PageQuery['query']) => text.length > CHARS_MAX;

type Verified = AnswerOf<'verify_receipt'>;

const VERDICTS: Readonly<Record<Verified['verdict'], string>> = {
  genuine: 'This receipt is genuine: it was signed here, and is on record as it is.',
  not_on_record: 'A key of this marketplace signed this, but it is no receipt on record.',
  not_signed: 'This is not a receipt of this marketplace, or it was changed after it was signed.',
};

function Verdict({ verified: { verdict, document: said, sha256 } }: { verified: Verified }) {
  return (
    <>
      <div class={`message ${verdict === 'genuine' ? 'yours' : 'owed'}`} role="status">
        <p>{VERDICTS[verdict]}</p>
      </div>
      {said && (
        <Card id="said" title={`Receipt ${said.receipt_id}`}>
          <dl class="pairs">
            <dt>Deal</dt>
            <dd>
              {wordsOf(said.kind)} {said.object_id}: {wordsOf(said.outcome).toLowerCase()}
            </dd>
            <dt>Payer</dt>
            <dd>{said.payer ? `Agent ${said.payer.agent_id}` : 'From outside'}</dd>
            <dt>Payee</dt>
            <dd>{said.payee ? `Agent ${said.payee.agent_id}` : 'Nobody'}</dd>
            <dt>Paid</dt>
            <dd>
              <Usd amount={said.amounts.paid} />
            </dd>
            <dt>To the payee</dt>
            <dd>
              <Usd amount={said.amounts.to_payee} />
            </dd>
            <dt>Fee</dt>
            <dd>
              <Usd amount={said.amounts.fee} />
            </dd>
            <dt>Returned</dt>
            <dd>
              <Usd amount={said.amounts.refunded} />
            </dd>
            <dt>Settled</dt>
            <dd>
              <When at={said.settled_at} />
            </dd>
            <dt>Issued</dt>
            <dd>
              <When at={said.issued_at} />
            </dd>
            <dt>SHA-256</dt>
            <dd>
              <code>{sha256}</code>
            </dd>
          </dl>
        </Card>
      )}
    </>
  );
}
