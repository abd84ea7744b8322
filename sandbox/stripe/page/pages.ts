import type Stripe from 'stripe';

import { TEST_CARDS, type CardEntry } from '../cards.ts';
import { escaped, pageOf } from './layout.ts';

type Session = Stripe.Checkout.Session;

const amountOf = ({ amount_total }: Session) => `$${(amount_total! / 100).toFixed(2)}`;

/** URL for the payer after the payment. */
export const successUrlOf = ({ id, success_url }: Session) =>
  success_url!.replaceAll('{CHECKOUT_SESSION_ID}', id);

/** Amount and card. `refusal` is the outcome of the last attempt. */
export function payPage(
  session: Session,
  subject: string,
  { number = '', expiry = '', cvc = '' }: CardEntry,
  refusal?: string,
): string {
  const cancel = session.cancel_url;
  return pageOf(
    `Pay ${amountOf(session)}`,
    `<main>
<h1>${amountOf(session)}</h1>
<p class="subject">${escaped(subject)}</p>
<form method="post" action="/pay/${session.id}">
${refusal ? `<p class="refused" role="alert">${escaped(refusal)}</p>` : ''}
<label>Card number
<input name="number" inputmode="numeric" autocomplete="off" required maxlength="23"
 placeholder="4242 4242 4242 4242" value="${escaped(number)}"></label>
<div class="two">
<label>Expires
<input name="expiry" autocomplete="off" required maxlength="9" placeholder="MM / YY"
 value="${escaped(expiry)}"></label>
<label>CVC
<input name="cvc" inputmode="numeric" autocomplete="off" required maxlength="4"
 placeholder="123" value="${escaped(cvc)}"></label>
</div>
<button>Pay ${amountOf(session)}</button>
</form>
${cancel ? `<p><a href="${escaped(cancel)}">Back, without paying</a></p>` : ''}
<h2>Test cards: any date in the future, any CVC</h2>
<table>
${TEST_CARDS.map(cardRow).join('\n')}
</table>
</main>`,
  );
}

const cardRow = ({ number, says }: (typeof TEST_CARDS)[number]) =>
  `<tr><td><a href="?card=${number.replaceAll(' ', '')}">${number}</a></td><td>${says}</td></tr>`;

/** The bank's page of 3-D Secure. */
export const challengePage = (session: Session) =>
  pageOf(
    '3-D Secure',
    `<main>
<h1>${amountOf(session)}</h1>
<p class="subject">Your bank asks: do you make this payment?</p>
<form method="post" action="/pay/${session.id}/authentication">
<button name="answer" value="accept">Yes, it is me</button>
<button name="answer" value="refuse" class="second">No, refuse it</button>
</form>
</main>`,
  );

/** The page of a session with nothing left to pay. */
export function closedPage(session: Session): string {
  const isPaid = session.status === 'complete';
  const [says, leads] = isPaid
    ? ['This payment is made.', successUrlOf(session)]
    : ['This page has expired. Nothing was paid.', session.cancel_url];
  return pageOf(
    isPaid ? 'Paid' : 'Expired',
    `<main>
<h1>${amountOf(session)}</h1>
<p class="subject">${says}</p>
${leads ? `<p><a href="${escaped(leads)}">Go back</a></p>` : ''}
</main>`,
  );
}

export const unknownPage = () =>
  pageOf('Not found', '<main><h1>There is no such payment.</h1></main>');
