import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { admin } from '../../faults/children.ts';
import { OPERATOR_TOKEN } from '../../access/scene.ts';
import { eventually } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { openBasePlatform, type BasePlatform } from '../evm/platform.ts';

const HOURS_MS = 3_600_000;
/** The blocks of this chain say that they were made so long before. */
const AGO_MS = 5 * HOURS_MS;
/** A hundredth of a coin. */
const PAID = 10n ** 16n;

describe('a payment of some hours ago', () => {
  let base: BasePlatform;
  let agent: { id: number; key: string };
  beforeEach(async () => {
    base = await openBasePlatform();
    for (const provider of base.providers) {
      for (const method of ['eth_getBlockByNumber', 'eth_getBlockByHash']) {
        provider.on(method, async (_params, forward) => {
          const block = (await forward()) as { timestamp: string } | null;
          return block && { ...block, timestamp: hex(Number(block.timestamp) - AGO_MS / 1_000) };
        });
      }
    }
    agent = await base.platform.agent();
    const longAgo = `update agent set created_at = created_at - interval '1 day'`;
    await admin(base.platform, `set session_replication_role = replica; ${longAgo}`);
  });
  afterEach(async () => {
    expect(await audit(base.platform.context.database)).to.deep.equal([]);
    await base.close();
  });

  const hex = (value: number) => `0x${value.toString(16)}`;
  const request = (route: string, body?: object) =>
    base.platform.request(route, { key: agent.key, ...(body && { body }) });
  const verify = async (tx_hash: string) =>
    (await request('POST /api/v1/evm/verify?wait=20', { tx_hash })).body;
  const cash = async () => (await request('GET /api/v1/wallet')).body.cash;
  /** By the router, for the agent; and when its block says that it was. */
  async function pay() {
    const { body } = await request('GET /api/v1/wallet');
    const method = body.deposit_methods.find(({ rail }: { rail: string }) => rail === 'base');
    return paid(await base.byRouter(method.reference, { wei: PAID }));
  }
  async function paid(txId: string) {
    const { blockNumber } = (await base.evm.send('eth_getTransactionReceipt', [txId])) as {
      blockNumber: string;
    };
    const block = await base.evm.send('eth_getBlockByNumber', [blockNumber, false]);
    const at = Number((block as { timestamp: string }).timestamp) * 1_000 - AGO_MS;
    await base.finalize();
    return { txId, at };
  }
  const note = (at: number, price: string) =>
    base.platform.query(
      `insert into asset_price (asset, at, price, source) values ('ETH', $1, $2, 'noted')`,
      [new Date(at), price],
    );
  /** The price of now. One of before is used for a while. */
  async function set(price: string) {
    base.prices.set('ETH', price);
    await eventually(
      () =>
        base.platform.context.gateways!.prices.priceOf('ETH').then(
          (now) => now.price,
          () => '0',
        ),
      (now) => now === price,
    );
  }
  const creditedAt = async (txId: string) => {
    const { status, usd, rate } = await verify(txId);
    return [status, usd, rate?.price];
  };

  for (const [what, now] of [
    ['rose', '6000'],
    ['fell', '1500'],
  ] as const) {
    it(`is converted at its own price, also where that ${what} until its wallet is linked`, async () => {
      const { txId, at } = await paid(await base.coin(base.recipient, PAID));
      await note(at - 60_000, '2900');
      await note(at + 30_000, '3000');
      await note(at + 2 * HOURS_MS, '4000');
      expect((await verify(txId)).error).to.equal('deposit_unbound');
      await set(now);
      const wallet = { network: 'evm', address: base.payer };
      const link = (signed: object) =>
        request('POST /api/v1/wallets/link?wait=20', { ...wallet, ...signed });
      const { message } = (await link({})).body;
      const text = `0x${Buffer.from(message).toString('hex')}`;
      const signature = await base.evm.send('personal_sign', [text, base.payer]);
      expect((await link({ signature })).body.linked).to.equal(true);
      expect(await creditedAt(txId)).to.deep.equal(['credited', 30, '3000']);
      expect(await creditedAt(txId)).to.deep.equal(['credited', 30, '3000']);
      expect(await cash()).to.equal(30);
    });
  }

  it('is converted at its own price when there is none now', async () => {
    const { txId, at } = await pay();
    await note(at, '3000');
    await set('0');
    expect(await creditedAt(txId)).to.deep.equal(['credited', 30, '3000']);
  });

  it('is converted at the lowest price since then, where none of then is known', async () => {
    const [first, second] = [await pay(), await pay()];
    await note(first.at - 2 * HOURS_MS, '1000');
    await note(first.at - HOURS_MS, '3000');
    await note(first.at + HOURS_MS, '2500');
    await note(first.at + 2 * HOURS_MS, '4000');
    await set('6000');
    expect(await creditedAt(first.txId)).to.deep.equal(['credited', 25, '2500']);
    await set('1500');
    expect(await creditedAt(second.txId)).to.deep.equal(['credited', 15, '1500']);
    expect(await cash()).to.equal(40);
  });

  it('that waits for a price is converted at no higher one than was known', async () => {
    const { txId, at } = await pay();
    await set('0');
    expect((await verify(txId)).status).to.equal('confirming');
    expect(await cash()).to.equal(0);
    await note(at - HOURS_MS, '3000');
    await set('6000');
    await eventually(async () => {
      await base.platform.query('update deposit set look_at = now() where look_at is not null');
      await runTimer(base.platform, 'watch_chains');
      return cash();
    }, Boolean);
    expect(await creditedAt(txId)).to.deep.equal(['credited', 30, '3000']);
  });

  it('finds the prices that are noted every minute, each once', async () => {
    await set('3000');
    // The prices of ETH and USDC.
    expect(await runTimer(base.platform, 'note_prices')).to.deep.equal([{ prices: 2 }]);
    await runTimer(base.platform, 'note_prices');
    const noted = await base.platform.query(
      `select asset, price::text, source, count(*)::int as times from asset_price
        where asset = 'ETH' group by asset, price, source, at`,
    );
    for (const one of noted) {
      expect(one).to.include({ asset: 'ETH', price: '3000', times: 1 });
      expect(one.source).to.match(/coinbase/);
    }
    await set('0');
    await runTimer(base.platform, 'note_prices');
    const sql = `select count(*)::int as noted from asset_price where asset = 'ETH'`;
    expect(await base.platform.query(sql)).to.deep.equal([{ noted: noted.length }]);
    const { body } = await base.platform.request('GET /api/v1/admin/rails', {
      key: OPERATOR_TOKEN,
    });
    const [eth, usdc] = body.prices;
    expect([eth.asset, eth.price, usdc.asset, usdc.price]).to.deep.equal([
      'ETH',
      '3000',
      'USDC',
      '1',
    ]);
    expect(Date.parse(usdc.at)).to.be.above(0);
    expect(usdc.sources).to.deep.equal(['coinbase', 'kraken', 'coingecko']);
  });
});
