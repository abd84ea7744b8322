import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { eventually, TestPlatform, type Reply } from '../../harness.ts';
import { newTronAddress, USDT } from './payer.ts';
import { openTronPlatform, type TronPlatform } from './platform.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('a deposit on Tron', () => {
  let tron: TronPlatform;
  let agent: Agent;
  let address: string;

  before(async () => (tron = await openTronPlatform()));
  beforeEach(async () => {
    agent = await tron.platform.agent();
    address = await addressOf(agent);
  });
  afterEach(() => tron.providers.forEach((provider) => provider.honest()));
  after(async () => {
    expect(await audit(tron.platform.context.database)).to.deep.equal([]);
    await tron.close();
  });

  const infoOf = async ({ key }: Agent) => {
    const { body } = await tron.platform.request('GET /api/v1/tron/info', { key });
    return body.networks[0];
  };
  const addressOf = async (of: Agent): Promise<string> => (await infoOf(of)).address;
  const cashOf = async ({ key }: Agent) =>
    (await tron.platform.request('GET /api/v1/wallet', { key })).body.cash;
  const verify = (tx_id: string, { key } = agent): Promise<Reply> =>
    tron.platform.request('POST /api/v1/tron/verify?wait=20', { key, body: { tx_id } });
  const verifyFinal = async (paid: Promise<string>, as = agent) => {
    const txId = await paid;
    await tron.paying.finalize();
    return verify(txId, as);
  };

  it('is credited to the agent whose address was paid, however its id is written', async () => {
    const info = await infoOf(agent);
    expect(info).to.deep.include({ wallet_ready: true, own: true, sandbox: true, network: 'tron' });
    expect(info.assets).to.deep.equal([{ asset: 'USDT', contract: USDT, decimals: 6 }]);
    expect(info.address).to.match(/^T\w{33}$/);
    const other = await tron.platform.agent();
    const shown = async () => {
      const { body } = await tron.platform.request('GET /api/v1/wallet', { key: other.key });
      return body.deposit_methods.find(({ rail }: { rail: string }) => rail === 'tron').address;
    };
    expect(await shown()).to.equal(undefined);
    expect(await addressOf(other)).to.not.equal(address);
    expect(await addressOf(agent)).to.equal(address);
    expect(await shown()).to.equal(await addressOf(other));

    const txId = await tron.usdt(address, 7_250_000n);
    const early = await verify(txId);
    expect([early.body.status, early.body.usd]).to.deep.equal(['detected', null]);
    await tron.paying.finalize();
    // Another may make the call: it is the agent's all the same.
    const theirs = await verify(txId, other);
    expect([theirs.status, theirs.body.error]).to.deep.equal([409, 'already_credited']);
    const { status, body } = await verify(`0x${txId.toUpperCase()}`);
    const link = await verify(`https://tronscan.org/#/transaction/${txId}`);
    expect(link.body.tx_id).to.equal(txId);
    expect([status, body.status, body.usd]).to.deep.equal([200, 'credited', 7.25]);
    expect(body).to.deep.include({ rail: 'tron', network: 'sandbox', tx_id: txId, asset: 'USDT' });
    expect(body.rate).to.deep.include({ price: '1', source: 'par (coinbase kraken coingecko)' });
    expect([await cashOf(agent), await cashOf(other)]).to.deep.equal([7.25, 0]);
  });

  it('is credited once by fifty claims at the same time', async () => {
    const txId = await tron.usdt(address, 1_000_000n);
    await tron.paying.finalize();
    const claims = await Promise.all(Array.from({ length: 50 }, () => verify(txId)));
    expect(new Set(claims.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(new Set(claims.map(({ body }) => body.deposit_id)).size).to.equal(1);
    expect(await cashOf(agent)).to.equal(1);
  });

  it('is refused with the reason where nothing that counts was paid to us', async () => {
    for (const [paid, code, reason] of [
      [tron.forged(address, 5_000_000n), 'deposit_invalid', /The token T\w{33} is not taken/],
      [tron.trx(address, 5_000_000n), 'deposit_invalid', /Its coin is not taken here: only USDT/],
      [tron.usdt(newTronAddress(), 5_000_000n), 'deposit_invalid', /pays us nothing/],
      [tron.tooMuch(address), 'deposit_invalid', /failed on its network/],
      [tron.usdt(address, 99_999n), 'deposit_invalid', /less than the minimum of \$0\.1/],
      [tron.usdt(tron.recipient, 5_000_000n), 'deposit_unbound', /tron_info/],
    ] as const) {
      const { body } = await verifyFinal(paid);
      expect(body.error, String(reason)).to.equal(code);
      expect(body.message).to.match(reason);
    }
    const { status, body } = await verify('ab'.repeat(32));
    expect([status, body.error]).to.deep.equal([404, 'transaction_unknown']);
    expect(await cashOf(agent)).to.equal(0);
  });

  it('is not credited when its block is dropped after it was detected', async () => {
    const txId = await tron.usdt(address, 3_000_000n);
    expect((await verify(txId)).body.status).to.equal('detected');
    await tron.paying.evm.dropBlock();
    await tron.paying.finalize();
    expect((await verify(txId)).body.error).to.equal('transaction_unknown');
    expect(await cashOf(agent)).to.equal(0);
  });

  it('waits while USDT is no dollar, and is credited when it is one again', async () => {
    tron.prices.set('USDT', '0.97');
    // One that has asked for no price yet.
    const platform = await TestPlatform.open({ env: tron.env });
    try {
      const { key } = await platform.agent();
      const { body: info } = await platform.request('GET /api/v1/tron/info', { key });
      const tx_id = await tron.usdt(info.networks[0].address, 2_000_000n);
      await tron.paying.finalize();
      const claim = () =>
        platform.request('POST /api/v1/tron/verify?wait=20', { key, body: { tx_id } });
      const { status, body } = await claim();
      expect([status, body.status, body.usd]).to.deep.equal([200, 'confirming', null]);
      expect(body.reason).to.match(/USDT is at \$0\.97 .* from \$0\.98 to \$1\.02/);
      tron.prices.set('USDT', '1');
      const { body: later } = await eventually(claim, (reply) => reply.body.usd !== null);
      expect([later.status, later.usd]).to.deep.equal(['credited', 2]);
    } finally {
      tron.prices.set('USDT', '1');
      await platform.close();
    }
  });
});
