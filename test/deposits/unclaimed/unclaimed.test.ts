import { expect } from 'chai';

import { eventually } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { done } from '../../tasks/board.ts';
import { inUnclaimed } from './scene.ts';

const CENT = 10_000n;

describe('payments that are credited to nobody', () => {
  const scene = inUnclaimed();

  it('are rows and a liability at once, and found by what is known of them', async () => {
    const before = await scene.liability();
    const { txId, payment } = await scene.payNameless(3_000_000n);
    expect(payment).to.include({
      status: 'unclaimed',
      rail: 'base',
      tx_id: txId,
      asset: 'USDC',
      amount: '3000000',
      usd: 3,
      sender: scene.base.payer.toLowerCase(),
      recipient: scene.base.recipient,
      agent_id: null,
      decision: null,
    });
    expect(await scene.liability()).to.equal(before + 3);
    for (const query of [
      `sender=${scene.base.payer.toLowerCase()}`,
      'min_usd=3&max_usd=3',
      `after=${payment.paid_at}`,
      'rail=base&status=unclaimed',
    ]) {
      const { payments } = await scene.listed(query);
      expect(
        payments.map(({ tx_id }: { tx_id: string }) => tx_id),
        query,
      ).to.include(txId);
    }
    for (const query of [
      'min_usd=3.01',
      `before=${payment.paid_at}`,
      'waiting=true',
      'rail=tron',
    ]) {
      const { payments } = await scene.listed(query);
      expect(
        payments.map(({ tx_id }: { tx_id: string }) => tx_id),
        query,
      ).not.to.include(txId);
    }
    const { sums } = await scene.listed();
    const [sum] = sums.filter(({ rail }: { rail: string }) => rail === 'base');
    expect(sum.usd)
      .to.equal(sum.by_age[0])
      .and.equal(await scene.liability());

    // Whoever reads it again changes nothing.
    await scene.base.platform.query('update chain_cursor set position = 1');
    await scene.watched.searchToEnd();
    expect(await scene.liability()).to.equal(before + 3);
  });

  it('are booked once, however many find them at once', async () => {
    const { base, watched } = scene;
    const before = await scene.liability();
    const agents = [await base.platform.agent(), await base.platform.agent()];
    const txId = await base.usdc(base.recipient, 6_000_000n);
    await base.finalize();
    const found = await Promise.all([
      ...[...agents, ...agents].map((agent) => watched.verify(agent, txId)),
      runTimer(base.platform, 'watch_chains'),
    ]);
    for (const reply of found.slice(0, 4)) {
      expect(reply).to.have.property('status').that.is.oneOf([202, 409]);
    }
    await watched.searchToEnd();
    expect((await scene.listed(`tx_id=${txId}`)).payments).to.have.lengthOf(1);
    expect(await scene.liability()).to.equal(before + 6);
  });

  it('are credited when their sender is linked, once, and leave the liability', async () => {
    const before = await scene.liability();
    const [agent, other] = [await scene.base.platform.agent(), await scene.base.platform.agent()];
    const { txId, from } = await scene.payNameless(2_000_000n, 1);
    const nobodys = await scene.claim(other, txId);
    expect(done(nobodys)).to.deep.include({ deposits: [] });
    await scene.watched.linkPayer(agent, from);
    const [deposit] = (await scene.watched.depositsOf(agent)).filter(
      (one: { tx_id: string }) => one.tx_id === txId,
    );
    expect(deposit).to.include({ status: 'credited', usd: 2 });
    expect(await scene.liability()).to.equal(before);
    expect((await scene.watched.verify(agent, txId)).body.status).to.equal('credited');
    const late = await scene.claim(other, txId);
    expect([late.status, late.body.error]).to.deep.equal([409, 'already_credited']);
    const own = await scene.claim(agent, txId);
    expect([own.status, own.body.error]).to.deep.equal([409, 'invalid_transition']);
  });

  it('come from the router, where tokens were transferred to it and then swept', async () => {
    const before = await scene.liability();
    const { evm, router } = scene.base;
    await scene.base.usdc(router, 3_000_000n);
    await scene.base.finalize();
    await scene.watched.searchToEnd();
    expect(await scene.liability()).to.equal(before);
    const txId = await scene.base.sweepRouter();
    await scene.base.finalize();
    await scene.watched.searchToEnd();
    const [payment] = (await scene.listed(`tx_id=${txId}`)).payments;
    expect(payment).to.include({ status: 'unclaimed', sender: router, usd: 3, asset: 'USDC' });
    expect(await scene.liability()).to.equal(before + 3);
    expect(await evm.balanceOf(router)).to.equal(0n);
  });

  it('add up to the minimum, where their agent is known', async () => {
    const before = await scene.liability();
    const agent = await scene.base.platform.agent();
    const reference = await scene.watched.referenceOf(agent);
    for (const count of [1, 2]) {
      await scene.base.byRouter(reference, { usdc: 4n * CENT });
      await scene.base.finalize();
      await scene.watched.search(
        async () => (await scene.watched.depositsOf(agent)).length === count,
      );
    }
    const held = await scene.watched.depositsOf(agent);
    expect(held.map(({ status }: { status: string }) => status)).to.deep.equal(['held', 'held']);
    expect(held[0].reason).to.contain('less than $0.1');
    expect([await scene.watched.cashOf(agent), await scene.liability()]).to.deep.equal([
      0,
      before + 0.08,
    ]);
    await scene.base.byRouter(reference, { usdc: 2n * CENT });
    await scene.base.finalize();
    await scene.watched.search(async () => (await scene.watched.cashOf(agent)) > 0);
    expect([await scene.watched.cashOf(agent), await scene.liability()]).to.deep.equal([
      0.1,
      before,
    ]);
  });

  it('are booked at the price that comes later', async () => {
    const priceOf = () =>
      scene.base.platform.context.gateways!.prices.priceOf('ETH').then(
        ({ price }) => price,
        () => 'none',
      );
    await scene.base.platform.query('delete from asset_price');
    scene.base.prices.set('ETH', '0');
    await eventually(priceOf, (price) => price === 'none'); // One of before is used for a while.
    const before = await scene.liability();
    const txId = await scene.base.coin(scene.base.recipient, 10n ** 15n);
    await scene.base.finalize();
    await scene.watched.searchToEnd();
    const usdOf = async () => (await scene.listed(`tx_id=${txId}`)).payments[0].usd;
    expect([await usdOf(), await scene.liability()]).to.deep.equal([null, before]);
    scene.base.prices.set('ETH', '3000');
    await eventually(async () => {
      await runTimer(scene.base.platform, 'value_unclaimed');
      return usdOf();
    }, Boolean);
    expect([await usdOf(), await scene.liability()]).to.deep.equal([3, before + 3]);
  });
});
