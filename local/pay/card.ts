import type { PayOutcome } from '../../sandbox/stripe/page/pay_routes.ts';
import { NotPaid } from './market.ts';
import type { PayRail } from './rail.ts';

interface Topup {
  readonly checkout_url: string;
  readonly network: string;
}

/** Pays with a test card, typed into the sandbox's pay page. */
export const card: PayRail = {
  name: 'card',
  usage: '[--card 4242424242424242] [--refuse]',
  async pay(market, { amount, options }, say) {
    const number = options.card ?? '4242424242424242';
    const topup = await market.call<Topup>('POST /api/v1/wallet/topup', { amount });
    say(`pay page   ${topup.checkout_url}`);
    if (topup.network !== 'sandbox') {
      throw new NotPaid(
        'This marketplace takes cards by Stripe itself: pay there with a browser. Only the ' +
          'sandbox is paid from here.',
      );
    }
    say(`card       ${number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}`);
    const typed = { number, expiry: '12/34', cvc: '123' };
    let outcome = await post(topup.checkout_url, typed);
    if (outcome.status === 'asks') {
      const answer = options.refuse === undefined ? 'accept' : 'refuse';
      say(`3-D Secure ${answer === 'accept' ? 'accepted' : 'refused'}`);
      outcome = await post(`${topup.checkout_url}/authentication`, { answer });
    }
    if (outcome.status !== 'paid') throw new NotPaid(`${outcome.message} Nothing was paid.`);
  },
};

async function post(url: string, fields: Record<string, string>): Promise<PayOutcome> {
  const headers = { accept: 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) });
  return (await answer.json()) as PayOutcome;
}
