// test:all: chains catch up.
import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../../access/scene.ts';
import { admin } from '../../faults/children.ts';
import { eventually } from '../../harness.ts';
import { mistyped } from '../../agents/mistyped.ts';
import { Scrape } from '../../metrics/scrape.ts';
import { runTimer } from '../../orders/trade.ts';
import { openBasePlatform, type BasePlatform } from '../evm/platform.ts';
import { newAddress } from '../evm/payer.ts';
import { watching } from './watching.ts';

describe('chains that are watched', () => {
  let base: BasePlatform;
  let watched: ReturnType<typeof watching>;
  before(async () => {
    base = await openBasePlatform();
    watched = watching(base);
    await watched.search(async () => (await watched.cursor()) !== undefined);
  });
  afterEach(async () => {
    base.providers.forEach((provider) => provider.honest());
    expect(await audit(base.platform.context.database)).to.deep.equal([]);
  });
  after(() => base.close());

  const scrape = async () =>
    new Scrape((await base.platform.request('GET /metrics', { key: OPERATOR_TOKEN })).text);

  it('find what is paid with a reference, and credit it without being asked', async () => {
    const [agent, other] = [await base.platform.agent(), await base.platform.agent()];
    const txId = await base.byRouter(await watched.referenceOf(agent), { wei: 10n ** 16n });
    await base.byRouter(await watched.referenceOf(other), { usdc: 2_000_000n });
    await base.finalize();
    await watched.search(async () => (await watched.cashOf(other)) > 0);
    expect([await watched.cashOf(agent), await watched.cashOf(other)]).to.deep.equal([30, 2]);
    const [deposit, ...more] = await watched.depositsOf(agent);
    expect(more).to.deep.equal([]);
    expect(deposit).to.deep.include({ rail: 'base', network: 'sandbox', tx_id: txId, usd: 30 });
    expect(deposit).to.deep.include({ status: 'credited', reason: null, amount: `${10n ** 16n}` });
    expect(deposit.rate).to.include({ price: '3000' });
    expect((await watched.verify(agent, txId)).body).to.deep.equal({ ...deposit, others: [] });
    expect((await watched.verify(other, txId)).body.error).to.equal('already_credited');
  });

  it('credit nobody for what nothing binds, and count it; its payer can prove it then', async () => {
    const [agent, other] = [await base.platform.agent(), await base.platform.agent()];
    const unbound = (await scrape()).value('market_chain_unbound_payments', { rail: 'base' });
    const txId = await base.usdc(base.recipient, 3_000_000n);
    const wrong = mistyped(await watched.referenceOf(other));
    const lost = await base.byRouter(wrong, { usdc: 1_000_000n });
    await base.finalize();
    await watched.searchToEnd();
    const after = await scrape();
    expect(after.value('market_chain_unbound_payments', { rail: 'base' })).to.equal(unbound! + 2);
    expect(after.value('market_chain_lag_seconds', { rail: 'base' })).to.be.lessThan(60);
    expect((await watched.verify(other, lost)).body.error).to.equal('deposit_unbound');
    const refused = await watched.verify(other, txId);
    expect([refused.status, refused.body.error]).to.deep.equal([409, 'deposit_unbound']);
    const help = refused.body.next_actions.map(({ tool }: { tool: string }) => tool);
    expect(help).to.include('link_wallet');

    await watched.linkPayer(agent);
    expect((await watched.verify(agent, txId)).body).to.include({ status: 'credited', usd: 3 });
    expect((await watched.verify(other, txId)).body.error).to.equal('already_credited');
    await base.usdc(base.recipient, 4_000_000n);
    await base.finalize();
    // Its payment of before with a wrong reference is its own as well.
    await watched.search(async () => (await watched.cashOf(agent)) === 8);
  });

  it('credit nothing from before its agent, and nothing that is too little', async () => {
    const agent = await base.platform.agent();
    const reference = await watched.referenceOf(agent);
    const [old, small] = [
      await base.byRouter(reference, { usdc: 5_000_000n }),
      await base.byRouter(reference, { usdc: 99_999n }),
    ];
    await base.finalize();
    await admin(
      base.platform,
      `update agent set created_at = now() + interval '1 hour' where id = ${agent.id}`,
    );
    expect((await watched.verify(agent, old)).body.error).to.equal('deposit_unbound');
    await watched.searchToEnd();
    await admin(base.platform, `update agent set created_at = now() where id = ${agent.id}`);
    const { status, body } = await watched.verify(agent, small);
    expect([status, body.error, body.details]).to.deep.equal([
      422,
      'deposit_invalid',
      { min: 0.1 },
    ]);
    expect(await watched.cashOf(agent)).to.equal(0);
    expect((await watched.depositsOf(agent))[0]).to.include({ status: 'held', usd: null });
  });

  it('wait where there is no price, and are credited at the one that comes', async () => {
    const agent = await base.platform.agent();
    const priceOf = () =>
      base.platform.context.gateways!.prices.priceOf('ETH').then(
        ({ price }) => price,
        () => 'none',
      );
    base.prices.set('ETH', '0');
    await eventually(priceOf, (price) => price === 'none'); // One of before is used for a while.
    const txId = await base.byRouter(await watched.referenceOf(agent), { wei: 2n * 10n ** 15n });
    await base.finalize();
    await watched.search(async () => (await watched.depositsOf(agent)).length > 0);
    const [deposit] = await watched.depositsOf(agent);
    expect(deposit).to.include({ status: 'confirming', usd: null, rate: null, tx_id: txId });
    expect(deposit.reason).to.match(/^Waiting for a price of ETH: /);
    expect((await watched.verify(agent, txId)).body.status).to.equal('confirming');
    expect((await scrape()).value('market_deposits_wait_seconds')).to.be.greaterThan(0);

    base.prices.set('ETH', '3000');
    await watched.search(async () => {
      await base.platform.query('update deposit set look_at = now() where look_at is not null');
      return (await watched.cashOf(agent)) > 0;
    });
    expect((await watched.depositsOf(agent))[0]).to.deep.include({ status: 'credited', usd: 6 });
    expect((await scrape()).value('market_deposits_wait_seconds')).to.equal(0);
  });

  it('are searched on from where they were while a provider did not answer', async () => {
    const agent = await base.platform.agent();
    const reference = await watched.referenceOf(agent);
    const before = (await watched.cursor())!;
    base.providers[0].on('eth_getLogs', () => 'break');
    await base.byRouter(reference, { usdc: 1_000_000n });
    await base.finalize();
    const faultOf = async () =>
      (await base.platform.query('select fault from chain_cursor'))[0].fault;
    await watched.search(async () => (await faultOf()) !== null);
    expect([await watched.cursor(), await watched.cashOf(agent)]).to.deep.equal([before, 0]);
    base.providers[0].honest();
    await watched.search(async () => (await watched.cashOf(agent)) === 1);
    expect(await faultOf()).to.equal(null);
  });

  it('are searched by one job at a time, and by another if that one never ends', async () => {
    const { platform } = base;
    const busyFor = (minutes: number) =>
      platform.query(
        `update chain_cursor set busy_until = now() + make_interval(mins => ${minutes})`,
      );
    await busyFor(60);
    const [kept] = await runTimer(platform, 'watch_chains');
    expect(kept).to.include({ networks: 0 });
    await busyFor(-1);
    const [taken] = await runTimer(platform, 'watch_chains');
    expect(taken).to.include({ networks: 1 });
    await watched.searchToEnd();
  });

  it('miss and double nothing when nobody has searched for a thousand blocks', async () => {
    const agent = await base.platform.agent();
    const reference = await watched.referenceOf(agent);
    // A job that never ends keeps others away meanwhile.
    const hour = `now() + interval '1 hour'`;
    await base.platform.query(`update chain_cursor set busy_until = ${hour}`);
    const paid: string[] = [];
    for (let block = 0; block < 5; block += 1) {
      paid.push(await base.byRouter(reference, { wei: 10n ** 15n }));
      await base.usdc(newAddress(), 1n);
      await base.evm.mine(200);
    }
    await base.finalize();
    const receipt = await base.evm.send('eth_getTransactionReceipt', [paid[0]]);
    // The first block that is searched has a payment in it.
    const begun = Number((receipt as { blockNumber: string }).blockNumber) - 1;
    const searchFrom = 'update chain_cursor set busy_until = null, position = $1';
    await base.platform.query(searchFrom, [begun]);
    await watched.searchToEnd();
    expect((await watched.cursor())! - begun).to.be.greaterThan(1_000);
    expect(await watched.cashOf(agent)).to.equal(15);
    // Whoever searches it all again finds nothing new.
    await base.platform.query(searchFrom, [begun]);
    await watched.searchToEnd();
    expect(await watched.cashOf(agent)).to.equal(15);
    expect(await watched.depositsOf(agent)).to.have.lengthOf(5);
  });
});
