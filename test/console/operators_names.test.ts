import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { act, openDeal } from '../orders/deal.ts';
import { operator } from './browser_like.ts';

const SUSPEND = '/admin/do/operator_suspend_agent';

describe('what operators read of agents', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  it('names agents by their names, and one that a payment opened without its address', async () => {
    const { orderId, buyer, seller } = await openDeal(platform);
    await act(platform, 'dispute_order', { orderId, key: buyer.key });
    const paid = `x402-0x${'ab'.repeat(20)}`;
    await platform.query('update agent set username = $1 where id = $2', [paid, buyer.id]);
    const ann = await operator(platform);
    const shows = async (path: string) => (await ann.get(path)).text;
    const linkTo = ({ id }: { id: number }, name: string) =>
      `<a href="/admin/find?agent=${id}"><bdi class="words">${name}</bdi></a>`;
    const decision = await shows(`/admin/decisions?kind=order_disputes&id=${orderId}`);
    expect(decision).to.include(linkTo(buyer, 'x402 payer'));
    expect(decision).to.include(linkTo(seller, seller.username));
    const [{ job_id: job }] = await platform.query('select job_id from orders where id = $1', [
      orderId,
    ]);
    const pages = [
      decision,
      await shows(`/admin/find?query=${job}`),
      await shows(`/admin/jobs/${job}`),
    ];
    for (const text of pages) {
      expect(text).to.include(linkTo(buyer, 'x402 payer')).and.not.include(paid);
      expect(text).not.to.match(/agent \d/i);
    }
    const found = await shows(`/admin/find?query=%23${orderId}`);
    expect(found).to.include('treasury of <bdi class="words">x402 payer</bdi>');
    await ann.submit(await ann.get(`/admin/find?agent=${seller.id}`), SUSPEND, { note: 'A test.' });
    expect(await shows('/admin/log')).to.include(
      `agent <bdi class="words">${seller.username}</bdi>`,
    );
  });
});
