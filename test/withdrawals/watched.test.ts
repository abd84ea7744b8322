import { expect } from 'chai';

import { OPERATOR_TOKEN } from '../access/scene.ts';
import { admin } from '../faults/children.ts';
import { Scrape } from '../metrics/scrape.ts';
import { openRounds, type Rounds } from './rounds.ts';
import { patience } from '../platform/pace.ts';

describe('withdrawals that are open', () => {
  let rounds: Rounds;
  before(async () => {
    rounds = await openRounds();
  });
  after(() => rounds.close());

  it('show operators how long one waits for a review, which does not wait to be paid', async () => {
    const { platform, agent } = rounds;
    const { id } = await rounds.due();
    const set = (review: string) =>
      admin(
        platform,
        `update withdrawal set created_at = now() - interval '5 hours', review = ${review}
          where id = ${id}`,
      );
    const read = async (name: string) => {
      const { text } = await platform.request('GET /metrics', { key: OPERATOR_TOKEN });
      return new Scrape(text).value(`market_withdrawals_${name}`);
    };
    await set(`'pending'`);
    expect(await read('review_seconds')).to.be.within(18_000, 18_000 + patience(60));
    expect(await read('wait_seconds')).to.equal(0);
    await set('null');
    expect(await read('review_seconds')).to.equal(0);
    await platform.request(`POST /api/v1/wallet/withdrawals/${id}/cancel`, { key: agent.key });
  });

  it('show operators how long they wait, how much they need, and what the wallet has left', async () => {
    const { platform, chain } = rounds;
    const made = await rounds.due();
    const read = async () => {
      const { text } = await platform.request('GET /metrics', { key: OPERATOR_TOKEN });
      const found = new Scrape(text);
      return (name: string) => found.value(`market_withdrawals_${name}`);
    };
    await platform.query(
      `update withdrawal set created_at = now() - interval '1 hour' where id = $1`,
      [made.id],
    );
    const open = await read();
    // Its address may be paid to since now.
    expect(open('wait_seconds')).to.be.within(0, patience(60));
    expect(open('open_usd')).to.equal(1);
    await admin(
      platform,
      `update withdrawal set not_before = now() - interval '40 minutes' where id = ${made.id}`,
    );
    expect((await read())('wait_seconds')).to.be.within(2_400, 2_400 + patience(60));
    await rounds.round();
    await rounds.round();
    expect((await read())('wait_seconds')).to.be.within(2_400, 2_400 + patience(60));
    await rounds.round();
    await rounds.expectPaidOnce(made);
    await rounds.compare();
    const closed = await read();
    expect([closed('wait_seconds'), closed('open_usd')]).to.deep.equal([0, 0]);
    const left = Number(await chain.evm.balanceOf(chain.wallet.address)) / 1e6;
    expect(closed('wallet_usd')).to.equal(left).and.to.be.greaterThan(0);
    expect(closed('wallet_payments')).to.be.within(100, 1e9);
  });
});
