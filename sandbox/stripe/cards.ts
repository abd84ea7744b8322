import { invalid, StripeRefusal } from './refusal.ts';

/** Behaviour of a card when it is charged. */
export interface CardBehaviour {
  readonly brand: 'amex' | 'mastercard' | 'visa';
  readonly last4: string;
  /** Declined with this `decline_code`: always, or only once it is saved for later. */
  readonly declined?: { readonly as: DeclineCode; readonly when: 'always' | 'saved' };
  /** 3-D Secure: each time, or until the card was saved. */
  readonly asks?: 'always' | 'until saved';
  /** Its owner disputes each payment. */
  readonly disputed?: true;
}

export interface TestCard extends CardBehaviour {
  readonly number: string;
  /** Note on the pay page. */
  readonly says: string;
  /** Payment method by which tests name it. */
  readonly token: string;
}

export type DeclineCode = keyof typeof DECLINES;

/** Error of each `decline_code`. */
export const DECLINES = {
  generic_decline: ['card_declined', 'Your card was declined.'],
  insufficient_funds: ['card_declined', 'Your card has insufficient funds.'],
  lost_card: ['card_declined', 'Your card was declined.'],
  expired_card: ['expired_card', 'Your card has expired.'],
  incorrect_cvc: ['incorrect_cvc', "Your card's security code is incorrect."],
  processing_error: [
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
  ],
  authentication_required: [
    'authentication_required',
    'Your card was declined. This transaction requires authentication.',
  ],
} as const;

/** Stripe's own test cards, which every developer knows. */
export const TEST_CARDS: readonly TestCard[] = [
  card('4242 4242 4242 4242', 'pm_card_visa', 'is paid'),
  card('4000 0000 0000 0002', 'pm_card_visa_chargeDeclined', 'is declined', {
    declined: { as: 'generic_decline', when: 'always' },
  }),
  card(
    '4000 0000 0000 9995',
    'pm_card_visa_chargeDeclinedInsufficientFunds',
    'is declined: insufficient funds',
    { declined: { as: 'insufficient_funds', when: 'always' } },
  ),
  card(
    '4000 0025 0000 3155',
    'pm_card_authenticationRequiredOnSetup',
    'asks for 3-D Secure now, and not when it is charged later',
    { asks: 'until saved' },
  ),
  card(
    '4000 0027 6000 3184',
    'pm_card_authenticationRequired',
    'asks for 3-D Secure each time, so it is declined when it is charged later',
    { asks: 'always' },
  ),
  card('4000 0000 0000 0341', 'pm_card_chargeCustomerFail', 'is paid now, declined later', {
    declined: { as: 'generic_decline', when: 'saved' },
  }),
  card('4000 0000 0000 0259', 'pm_card_createDispute', 'is paid, then charged back', {
    disputed: true,
  }),
  card('4000 0000 0000 0069', 'pm_card_chargeDeclinedExpiredCard', 'is declined: expired', {
    declined: { as: 'expired_card', when: 'always' },
  }),
  card('4000 0000 0000 0127', 'pm_card_chargeDeclinedIncorrectCvc', 'is declined: wrong CVC', {
    declined: { as: 'incorrect_cvc', when: 'always' },
  }),
  card('5555 5555 5555 4444', 'pm_card_mastercard', 'is paid, a Mastercard', {
    brand: 'mastercard',
  }),
];

function card(
  number: string,
  token: string,
  says: string,
  behaviour: Partial<CardBehaviour> = {},
): TestCard {
  return { number, token, says, brand: 'visa', last4: number.slice(-4), ...behaviour };
}

/** Entries on the pay page. They are read here and stored nowhere. */
export interface CardEntry {
  readonly number?: string;
  /** `12 / 34` or `12/2034`. */
  readonly expiry?: string;
  readonly cvc?: string;
}

/** Throws like Stripe if a field is wrong, or if the card is not a test card. */
export function readCard({ number = '', expiry = '', cvc = '' }: CardEntry, now: Date): TestCard {
  const digits = number.replaceAll(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits) || !passesLuhn(digits)) {
    throw cardError('incorrect_number', 'Your card number is invalid.', 'number');
  }
  assertNotExpired(expiry, now);
  if (!/^\d{3,4}$/.test(cvc)) {
    throw cardError('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  }
  const found = TEST_CARDS.find((one) => one.number.replaceAll(' ', '') === digits);
  if (found) return found;
  throw new StripeRefusal(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'test_mode_live_card',
    message:
      'Your card was declined. Your request was in test mode, but used a non test card. ' +
      'For a list of valid test cards, visit: https://stripe.com/docs/testing.',
  });
}

function assertNotExpired(expiry: string, now: Date): void {
  const [, month, year] = /^(\d{1,2})\s*\/?\s*(\d{4}|\d{2})$/.exec(expiry.trim()) ?? [];
  if (!month || Number(month) < 1 || Number(month) > 12) {
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", 'expiry');
  }
  const end = Date.UTC((Number(year) % 100) + 2000, Number(month));
  if (end <= now.getTime()) {
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", 'expiry');
  }
}

function passesLuhn(digits: string): boolean {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, n) => {
      const doubled = Number(digit) * (n % 2 === 0 ? 1 : 2);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}

const cardError = (code: string, message: string, param: string) =>
  new StripeRefusal(402, { type: 'card_error', code, message, param });

export function cardOfToken(token: string): TestCard {
  const found = TEST_CARDS.find((one) => one.token === token);
  if (found) return found;
  throw invalid(`No such PaymentMethod: '${token}'`, {
    param: 'payment_method',
    code: 'resource_missing',
  });
}
