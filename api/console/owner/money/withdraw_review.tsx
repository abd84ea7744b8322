import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Lead } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Badge, Usd, usdOf, When } from '../../parts/text.tsx';
import { useShown } from '../../page_state.ts';
import { plainAmount } from '../../words/texts.ts';

export const REVIEW_PATH = '/console/withdraw/review';

/** Review of a withdrawal before it is made, because money that left cannot be called back. */
export const withdrawReview = page({
  path: REVIEW_PATH,
  title: 'Review a withdrawal',
  access: 'owner',
  live: ['wallet', 'withdrawal'],
  reads: { wallet: 'get_wallet' },
  cards: {
    quote: [
      'quote_withdrawal',
      ({ query: { amount, address } }: PageQuery) =>
        amount && address ? { amount: plainAmount(amount), address: address.trim() } : undefined,
    ],
  },
  does: ['withdraw'],
  view: ({ wallet, quote }) => (
    <>
      <Lead title="Review a withdrawal">
        <p>
          Nothing has left yet: <Usd amount={wallet.balance} /> are yours. What was paid out cannot
          be called back.
        </p>
      </Lead>
      <Card id="quote" title="Summary">
        {quote ? <Quoted quote={quote} /> : <Unquoted />}
      </Card>
    </>
  ),
});

const Back = () => (
  <a class="button" href="/console/withdraw">
    Back
  </a>
);

function Unquoted() {
  const { query } = useShown();
  return (
    <div class="inside stack">
      {!query.amount || !query.address ? (
        <p>Enter an amount and an address first.</p>
      ) : !ADDRESS.test(query.address.trim()) ? (
        <p>
          <bdi>{query.address}</bdi> is not an address. One on Base begins with 0x, and has 40
          digits and letters from a to f after that.
        </p>
      ) : /^\d+(\.\d{1,6})?$/.test(plainAmount(query.amount)) ? (
        <p>
          {usdOf(Number(plainAmount(query.amount)))} cannot be withdrawn: it is less than is paid
          out at a time or more, or nothing is paid out here now.
        </p>
      ) : (
        <p>
          <bdi>{query.amount}</bdi> is not an amount. Enter it in dollars, such as 25.00.
        </p>
      )}
      <p class="buttons">
        <Back />
      </p>
    </div>
  );
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

const OBSTACLES: Readonly<Record<string, string>> = {
  validation_error: 'Nothing is paid to this address: it is ours, or of a token, or of nobody.',
  insufficient_balance: 'There is not so much cash that can leave.',
  daily_limit_exceeded: 'It is more than may be withdrawn in 24 hours.',
};
const HOLDS: Readonly<Record<string, string>> = {
  new_address: 'The first payment to an address waits.',
  review: 'An operator looks at it first.',
};

function Quoted({ quote }: { quote: AnswerOf<'quote_withdrawal'> }) {
  const { amount, address } = quote;
  return (
    <div class="inside stack">
      <dl class="pairs">
        <dt>From</dt>
        <dd>your wallet, {usdOf(quote.available)} of cash can leave</dd>
        <dt>To</dt>
        <dd>
          <code>{grouped(address)}</code>, {quote.is_known ? 'used before' : 'a new address'}
        </dd>
        <dt>Network</dt>
        <dd>
          {quote.asset} on Base {quote.network === 'sandbox' && <Badge state="play money" />}
        </dd>
        <dt>Amount</dt>
        <dd>
          <Usd amount={amount} />
        </dd>
        <dt>Fee</dt>
        <dd>
          <Usd amount={quote.fee} />
        </dd>
        <dt>Arrives</dt>
        <dd>
          <Usd amount={quote.arrives} />
        </dd>
        <dt>At the earliest</dt>
        <dd>
          {quote.earliest_at ? <When at={quote.earliest_at} /> : 'when an operator has approved it'}
        </dd>
      </dl>
      {quote.holds.map(({ kind }) => (
        <p>{HOLDS[kind]}</p>
      ))}
      {quote.obstacles.map((obstacle) => (
        <p class="message owed">{OBSTACLES[obstacle]}</p>
      ))}
      <div class="buttons">
        {quote.obstacles.length === 0 && (
          <Do
            op="withdraw"
            input={{ amount, address }}
            label={`Send ${usdOf(amount)} to ${address.slice(0, 6)}…${address.slice(-4)}`}
            main
            next="/console/withdraw"
          />
        )}
        <Back />
      </div>
    </div>
  );
}

/** An address in groups of four digits, for people who compare. */
export function grouped(address: string): string {
  const [, prefix = '', digits = ''] = /^(0x)?(.*)$/.exec(address) ?? [];
  return prefix + digits.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
