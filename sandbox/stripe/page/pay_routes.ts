import type Stripe from 'stripe';

import type { Account } from '../account.ts';
import { readCard, type CardEntry } from '../cards.ts';
import { fieldsOf } from '../form.ts';
import { authenticate, findSession, paySession } from '../objects/checkout_sessions.ts';
import { findPaymentIntent } from '../objects/payment_intents.ts';
import { StripeRefusal } from '../refusal.ts';
import { headersOf } from './layout.ts';
import { challengePage, closedPage, payPage, successUrlOf, unknownPage } from './pages.ts';

type Session = Stripe.Checkout.Session;

/** A request of a browser, or of a program that pays like one (`accept: application/json`). */
interface PageRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly asJson: boolean;
}

interface PageAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The answer for a program. */
export interface PayOutcome {
  readonly status: 'paid' | 'asks' | 'refused';
  readonly message: string;
  /** URL to which a browser goes next. */
  readonly next: string;
}

/** `/pay/<session>`, and the posts of its forms. */
export function answerPage(account: Account, request: PageRequest): PageAnswer {
  const [, , id = '', action] = request.url.pathname.split('/');
  let session: Session;
  try {
    session = findSession(account, decodeURIComponent(id));
  } catch {
    return { status: 404, headers: headersOf([]), body: unknownPage() };
  }
  if (session.status !== 'open') {
    const status = session.status === 'complete' ? 200 : 410;
    return { status, headers: headers(session), body: closedPage(session) };
  }
  if (request.method !== 'POST') return show(account, session, request);
  const fields = fieldsOf(request.body) as Record<string, string>;
  const respond = request.asJson ? jsonOf : (outcome: PayOutcome) => htmlOf(session, outcome);
  try {
    return action === 'authentication'
      ? respond(answerChallenge(account, session, fields.answer))
      : respond(pay(account, session, fields));
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    const outcome = { status: 'refused', message: error.message, next: pathOf(session) } as const;
    if (request.asJson) return jsonOf(outcome);
    const body = payPage(
      session,
      subjectOf(account, session),
      withoutSecrets(fields),
      error.message,
    );
    return { status: 402, headers: headers(session), body };
  }
}

const headers = ({ success_url, cancel_url }: Session) => headersOf([success_url, cancel_url]);
const pathOf = ({ id }: Session) => `/pay/${id}`;
const subjectOf = (account: Account, { id }: Session) => account.store.find('plan', id)!.subject;

/** The entries that stay after a refusal, as on Stripe's page. */
const withoutSecrets = ({ number = '', expiry = '' }: CardEntry): CardEntry => ({ number, expiry });

function show(account: Account, session: Session, { url }: PageRequest): PageAnswer {
  const asks = session.payment_intent
    ? findPaymentIntent(account, session.payment_intent as string).status === 'requires_action'
    : false;
  const card = url.searchParams.get('card');
  const filled = card ? { number: card, expiry: '12 / 34', cvc: '123' } : {};
  const body = asks
    ? challengePage(session)
    : payPage(session, subjectOf(account, session), filled, lastRefusal(account, session));
  return { status: 200, headers: headers(session), body };
}

/** The last refusal: after a failed 3-D Secure the page is shown again, with the reason. */
function lastRefusal(account: Account, { payment_intent }: Session): string | undefined {
  if (!payment_intent) return undefined;
  return findPaymentIntent(account, payment_intent as string).last_payment_error?.message;
}

function pay(account: Account, session: Session, fields: CardEntry): PayOutcome {
  const card = readCard(fields, new Date());
  if (paySession(account, session, card).status === 'complete') return paid(session);
  const message = 'The bank asks whether it is you (3-D Secure).';
  return { status: 'asks', message, next: pathOf(session) };
}

function answerChallenge(account: Account, session: Session, answer?: string): PayOutcome {
  const message = authenticate(account, session, answer === 'accept');
  if (message) return { status: 'refused', message, next: pathOf(session) };
  return paid(session);
}

const paid = (session: Session): PayOutcome => ({
  status: 'paid',
  message: 'Paid.',
  next: successUrlOf(session),
});

const jsonOf = (outcome: PayOutcome): PageAnswer => ({
  status: outcome.status === 'refused' ? 402 : 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(outcome),
});

const htmlOf = (session: Session, { next }: PayOutcome): PageAnswer => ({
  status: 303,
  headers: { ...headers(session), location: next },
  body: '',
});
