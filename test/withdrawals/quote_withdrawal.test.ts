import { expect } from 'chai';

import { BrowserLike, owner } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { done } from '../tasks/board.ts';
import { patience } from '../platform/pace.ts';

const ADDRESS = `0x${'ab'.repeat(20)}`;

describe('quote_withdrawal', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const ask = ({ key }: { key: string }, amount: number, address = ADDRESS) =>
    platform.request(`GET /api/v1/wallet/withdrawals/quote?amount=${amount}&address=${address}`, {
      key,
    });
  const withdraw = ({ key }: { key: string }, amount: number) =>
    platform.request('POST /api/v1/wallet/withdrawals', {
      key,
      body: { amount, address: ADDRESS },
    });

  it('says what withdraw then does, and moves nothing', async () => {
    const agent = await platform.agent({ usd: 5_000 });
    const first = done(await ask(agent, 3));
    expect(first).to.include({ amount: 3, fee: 0, arrives: 3, is_known: false, available: 5_000 });
    expect(first.obstacles).to.deep.equal([]);
    expect(await platform.balance(agent)).to.equal(5_000.5);
    const made = done(await withdraw(agent, 3));
    const difference = Date.parse(made.pays_from) - Date.parse(first.earliest_at ?? '');
    expect(Math.abs(difference)).to.be.lessThan(patience(60_000));
    const again = done(await ask(agent, 3, ADDRESS.toUpperCase().replace('0X', '0x')));
    expect(again).to.deep.include({ is_known: true, available: 4_997, left_today: 19_997 });
    expect(again.earliest_at).to.equal(made.pays_from);
    const other = await platform.agent({ usd: 5 });
    expect(done(await ask(other, 3)).is_known).to.equal(false);
    const large = done(await ask(agent, 1_001));
    expect(large.earliest_at).to.equal(null);
    expect(large.holds.map(({ kind }: { kind: string }) => kind)).to.include('review');
    expect(done(await withdraw(agent, 1_001)).review).to.equal('pending');
  });

  it('names what would refuse it, as withdraw does', async () => {
    const agent = await platform.agent({ usd: 2 });
    // Credit cannot leave.
    expect(done(await ask(agent, 2.5)).obstacles).to.deep.equal(['insufficient_balance']);
    expect((await withdraw(agent, 2.5)).body.error).to.equal('insufficient_balance');
    const rich = await platform.agent({ usd: 25_000 });
    for (const amount of [10_000, 9_999]) done(await withdraw(rich, amount));
    expect(done(await ask(rich, 2)).obstacles).to.deep.equal(['daily_limit_exceeded']);
    expect((await withdraw(rich, 2)).body.error).to.equal('daily_limit_exceeded');
    for (const [amount, error] of [
      [10_001, 'tx_limit_exceeded'],
      [0.5, 'validation_error'],
    ] as const) {
      expect((await ask(rich, amount)).body.error).to.equal(error);
      expect((await withdraw(rich, amount)).body.error).to.equal(error);
    }
  });

  it('is looked at in the console before money is sent', async () => {
    const { agent, browser } = await owner(platform, { usd: 9 });
    const path = (amount: string) => `/console/withdraw/review?amount=${amount}&address=${ADDRESS}`;
    const page = await browser.get(path('4'));
    expect(page.status).to.equal(200);
    expect(page.text).to.include('a new address').and.to.include('Send $4.00 to 0xabab');
    expect((await browser.get(path('90'))).text).not.to.include('Send $90');
    expect((await browser.get(path('x'))).text).to.include('is not an amount');
    expect((await browser.get(path('0.5'))).text).to.include('cannot be withdrawn');
    expect(await platform.balance(agent)).to.equal(9.5);
    expect((await new BrowserLike(platform).get(path('4'))).status).to.equal(303);
  });
});
