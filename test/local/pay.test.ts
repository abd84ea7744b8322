import { expect } from 'chai';

import { NotPaid } from '../../local/pay/market.ts';
import { pay } from '../../local/pay/pay.ts';
import { openWithStripe, type PlatformWithStripe } from '../sandbox/stripe_platform.ts';

describe('npm run pay', () => {
  let stripe: PlatformWithStripe;
  before(async () => (stripe = await openWithStripe()));
  after(() => stripe.close());

  /** The printed lines, the reason last when it does not pay. */
  async function printed(key: string, ...args: string[]): Promise<string[]> {
    const lines: string[] = [];
    const options = ['--key', key, '--url', stripe.platform.url];
    await pay([...args, ...options], (line) => lines.push(line)).catch((error: Error) => {
      expect(error).to.be.instanceOf(NotPaid);
      lines.push(error.message);
    });
    return lines;
  }

  it('pays by a test card, and ends when the money is in the wallet', async () => {
    const { platform } = stripe;
    const { key, username, id } = await platform.agent();
    const lines = await printed(key, 'card', '10', '--agent', username);
    expect(lines).to.deep.equal([
      `agent      ${username} (${id})`,
      lines[1],
      'card       4242 4242 4242 4242',
      'paid       waiting until it is in the wallet …',
      'credited   $10, the wallet has $10.5',
    ]);
    expect(lines[1]).to.match(/^pay page {3}http:.*\/pay\/cs_test_/);
    expect(await platform.balance({ key })).to.equal(10.5);
  });

  it('says why a card was declined, and nothing was paid', async () => {
    const { key } = await stripe.platform.agent();
    const declined = await printed(key, 'card', '5', '--card', '4000000000000002');
    expect(declined.at(-1)).to.equal('Your card was declined. Nothing was paid.');
    expect(await stripe.platform.balance({ key })).to.equal(0.5);
  });

  it('passes 3-D Secure, or refuses it', async () => {
    const { key } = await stripe.platform.agent();
    const card = ['card', '5', '--card', '4000002500003155'];
    expect((await printed(key, ...card, '--refuse')).at(-1)).to.match(/^We are unable to authent/);
    const accepted = await printed(key, ...card);
    expect(accepted).to.include('3-D Secure accepted');
    expect(accepted.at(-1)).to.equal('credited   $5, the wallet has $5.5');
  });

  it('asks for a rail and a sum, and pays into no other wallet than that of the key', async () => {
    const { key, username } = await stripe.platform.agent();
    for (const args of [[], ['coins', '5'], ['card', 'much'], ['--help']]) {
      expect((await printed(key, ...args)).at(-1)).to.match(/^npm run pay -- <rail> <dollars>/);
    }
    const other = await printed(key, 'card', '5', '--agent', 'somebody');
    expect(other.at(-1)).to.match(new RegExp(`^The key is of ${username} .*not somebody\\.$`));
    const unknown = await printed('vnx_of_nobody', 'card', '5');
    expect(unknown.at(-1)).to.match(/key/);
  });
});
