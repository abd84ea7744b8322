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

interface Agent {
  readonly id: number;
  readonly key: string;
}

const CHAIN_WAS_MADE = 'select position::int from chain_cursor where position is not null';

describe('chains that are watched', () => {
  let base: BasePlatform;
  before(async () => {
    base = await openBasePlatform();
    await search(async () => (await cursor()) !== undefined);
  });
  afterEach(async () => {
    base.providers.forEach((provider) => provider.honest());
    expect(await audit(base.platform.context.database)).to.deep.equal([]);
  });
  after(() => base.close());

  const cursor = async (): Promise<number | undefined> =>
    (await base.platform.query(CHAIN_WAS_MADE))[0]?.position;
  /** Searches until it is so. */
  const search = (isSo: () => Promise<boolean>) =>
    eventually(async () => {
      await runTimer(base.platform, 'watch_chains');
      return isSo();
    }, Boolean);
  const searchToEnd = async () => {
    const { number } = JSON.parse(
      JSON.stringify(await base.evm.send('eth_getBlockByNumber', ['finalized', false])),
    );
    await search(async () => (await cursor()) === Number(number));
  };
  const cashOf = async ({ key }: Agent): Promise<number> =>
    (await base.platform.request('GET /api/v1/wallet', { key })).body.cash;
  const depositsOf = async ({ key }: Agent) =>
    (await base.platform.request('GET /api/v1/wallet/deposits', { key })).body.deposits;
  const verify = ({ key }: Agent, tx_hash: string) =>
    base.platform.request('POST /api/v1/evm/verify?wait=20', { key, body: { tx_hash } });
  /** What get_wallet says names the agent in a payment. */
  const referenceOf = async ({ key }: Agent): Promise<string> => {
    const { body } = await base.platform.request('GET /api/v1/wallet', { key });
    const method = body.deposit_methods.find(({ rail }: { rail: string }) => rail === 'base');
    expect(method).to.include({ enabled: true, network: 'sandbox', address: base.router });
    return method.reference;
  };
  /** The wallet of the chain's payer signs that it is the agent's. */
  const linkPayer = async ({ key }: Agent) => {
    const link = (signature?: unknown) =>
      base.platform.request('POST /api/v1/wallets/link?wait=20', {
        key,
        body: {
          network: 'evm',
          address: base.payer,
          ...(signature !== undefined && { signature }),
        },
      });
    const { message } = (await link()).body;
    const text = `0x${Buffer.from(message).toString('hex')}`;
    expect((await link(await base.evm.send('personal_sign', [text, base.payer]))).status).to.equal(
      200,
    );
  };
  const scrape = async () =>
    new Scrape((await base.platform.request('GET /metrics', { key: OPERATOR_TOKEN })).text);

  it('find what is paid with a reference, and credit it without being asked', async () => {
    const [agent, other] = [await base.platform.agent(), await base.platform.agent()];
    const txId = await base.byRouter(await referenceOf(agent), { wei: 10n ** 16n });
    await base.byRouter(await referenceOf(other), { usdc: 2_000_000n });
    await base.finalize();
    await search(async () => (await cashOf(other)) > 0);
    expect([await cashOf(agent), await cashOf(other)]).to.deep.equal([30, 2]);
    const [deposit, ...more] = await depositsOf(agent);
    expect(more).to.deep.equal([]);
    expect(deposit).to.deep.include({ rail: 'base', network: 'sandbox', tx_id: txId, usd: 30 });
    expect(deposit).to.deep.include({ status: 'credited', reason: null, amount: `${10n ** 16n}` });
    expect(deposit.rate).to.include({ price: '3000' });
    expect((await verify(agent, txId)).body).to.deep.equal({ ...deposit, others: [] });
    expect((await verify(other, txId)).body.error).to.equal('already_credited');
  });

  it('credit nobody for what nothing binds, and count it; its payer can prove it then', async () => {
    const [agent, other] = [await base.platform.agent(), await base.platform.agent()];
    const unbound = (await scrape()).value('market_chain_unbound_payments', { rail: 'base' });
    const txId = await base.usdc(base.recipient, 3_000_000n);
    const wrong = mistyped(await referenceOf(other));
    const lost = await base.byRouter(wrong, { usdc: 1_000_000n });
    await base.finalize();
    await searchToEnd();
    const after = await scrape();
    expect(after.value('market_chain_unbound_payments', { rail: 'base' })).to.equal(unbound! + 2);
    expect(after.value('market_chain_lag_seconds', { rail: 'base' })).to.be.lessThan(60);
    expect((await verify(other, lost)).body.error).to.equal('deposit_unbound');
    const refused = await verify(other, txId);
    expect([refused.status, refused.body.error]).to.deep.equal([409, 'deposit_unbound']);
    const help = refused.body.next_actions.map(({ tool }: { tool: string }) => tool);
    expect(help).to.include('link_wallet');

    await linkPayer(agent);
    expect((await verify(agent, txId)).body).to.include({ status: 'credited', usd: 3 });
    expect((await verify(other, txId)).body.error).to.equal('already_credited');
    await base.usdc(base.recipient, 4_000_000n);
    await base.finalize();
    await search(async () => (await cashOf(agent)) === 7);
  });

  it('credit nothing from before its agent, and nothing that is too little', async () => {
    const agent = await base.platform.agent();
    const reference = await referenceOf(agent);
    const [old, small] = [
      await base.byRouter(reference, { usdc: 5_000_000n }),
      await base.byRouter(reference, { usdc: 99_999n }),
    ];
    await base.finalize();
    await admin(
      base.platform,
      `update agent set created_at = now() + interval '1 hour' where id = ${agent.id}`,
    );
    expect((await verify(agent, old)).body.error).to.equal('deposit_unbound');
    await searchToEnd();
    await admin(base.platform, `update agent set created_at = now() where id = ${agent.id}`);
    const { status, body } = await verify(agent, small);
    expect([status, body.error, body.details]).to.deep.equal([
      422,
      'deposit_invalid',
      { min: 0.1 },
    ]);
    expect([await cashOf(agent), await depositsOf(agent)]).to.deep.equal([0, []]);
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
    const txId = await base.byRouter(await referenceOf(agent), { wei: 2n * 10n ** 15n });
    await base.finalize();
    await search(async () => (await depositsOf(agent)).length > 0);
    const [deposit] = await depositsOf(agent);
    expect(deposit).to.include({ status: 'confirming', usd: null, rate: null, tx_id: txId });
    expect(deposit.reason).to.match(/^Waiting for a price of ETH: /);
    expect((await verify(agent, txId)).body.status).to.equal('confirming');
    expect((await scrape()).value('market_deposits_wait_seconds')).to.be.greaterThan(0);

    base.prices.set('ETH', '3000');
    await search(async () => {
      await base.platform.query('update deposit set look_at = now() where look_at is not null');
      return (await cashOf(agent)) > 0;
    });
    expect((await depositsOf(agent))[0]).to.deep.include({ status: 'credited', usd: 6 });
    expect((await scrape()).value('market_deposits_wait_seconds')).to.equal(0);
  });

  it('are searched on from where they were while a provider did not answer', async () => {
    const agent = await base.platform.agent();
    const reference = await referenceOf(agent);
    const before = (await cursor())!;
    base.providers[0].on('eth_getLogs', () => 'break');
    await base.byRouter(reference, { usdc: 1_000_000n });
    await base.finalize();
    const faultOf = async () =>
      (await base.platform.query('select fault from chain_cursor'))[0].fault;
    await search(async () => (await faultOf()) !== null);
    expect([await cursor(), await cashOf(agent)]).to.deep.equal([before, 0]);
    base.providers[0].honest();
    await search(async () => (await cashOf(agent)) === 1);
    expect(await faultOf()).to.equal(null);
  });

  it('miss and double nothing when nobody has searched for a thousand blocks', async () => {
    const agent = await base.platform.agent();
    const reference = await referenceOf(agent);
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
    await searchToEnd();
    expect((await cursor())! - begun).to.be.greaterThan(1_000);
    expect(await cashOf(agent)).to.equal(15);
    // Whoever searches it all again finds nothing new.
    await base.platform.query(searchFrom, [begun]);
    await searchToEnd();
    expect(await cashOf(agent)).to.equal(15);
    expect(await depositsOf(agent)).to.have.lengthOf(5);
  });
});
