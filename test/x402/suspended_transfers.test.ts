import { expect } from 'chai';

import { startPrices, type PriceServer } from '../../sandbox/prices/prices.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { newAddress } from '../deposits/evm/payer.ts';
import { runTimer } from '../orders/trade.ts';
import { done } from '../tasks/board.ts';
import { openComparing, TOKEN, type Comparing } from './comparing.ts';
import { USDC } from './signed.ts';

describe('transfers to the address of payments by x402 that pay for no call', () => {
  let scene: Comparing;
  let prices: PriceServer;
  let payer: string;
  before(async () => {
    prices = await startPrices();
    scene = await openComparing({ PRICE_SOURCES: prices.sources });
    [payer = ''] = (await scene.evm.send('eth_accounts')) as string[];
    await scene.compare();
  });
  beforeEach(() => scene.honest());
  afterEach(async () => expect(await scene.untrue()).to.deep.equal([]));
  after(async () => {
    await scene.close();
    await prices.close();
  });

  const read = async () => {
    await scene.compare();
    return runTimer(scene.platform, 'suspend_x402_transfers');
  };
  const unclaimed = async () =>
    done(
      await scene.platform.request('GET /api/v1/admin/unclaimed?rail=x402', {
        key: OPERATOR_TOKEN,
      }),
    ).payments;
  const decide = (id: number, body: object) =>
    scene.platform.request(`POST /api/v1/admin/unclaimed/${id}/decide?wait=20`, {
      key: OPERATOR_TOKEN,
      body: { evidence: 'Its payer wrote to us.', ...body },
    });
  /** The payer of the chain sends so much without any call. */
  const pay = async (amount: bigint): Promise<void> => {
    await scene.evm.mint(payer, amount);
    await scene.send(TOKEN.encodeFunctionData('transfer', [scene.payTo, amount]));
  };
  const cashOf = async ({ key }: { key: string }) =>
    (await scene.platform.request('GET /api/v1/wallet', { key })).body.cash;

  it('are unclaimed, once, with their sender, and operators credit or return them', async () => {
    await pay(1_500_000n);
    await scene.evm.mint(scene.payTo, 250_000n);
    await scene.send(TOKEN.encodeFunctionData('transfer', [scene.payTo, 0]));
    expect(await read()).to.deep.equal([{ transfers: 2 }]);
    expect(await read()).to.deep.equal([{ transfers: 0 }]);
    expect(await scene.shown()).to.include({ unbound: 2, unbound_usd: 1.75 });
    const [minted, sent] = await unclaimed();
    expect(sent).to.include({ sender: payer.toLowerCase(), usd: 1.5, asset: 'USDC' });
    const agent = await scene.platform.agent();
    const credited = await decide(minted.deposit_id, { decision: 'credit', agent_id: agent.id });
    expect(done(credited)).to.include({ status: 'credited' });
    expect(await cashOf(agent)).to.equal(0.25);

    const returns = { decision: 'return', return_tx_id: sent.tx_id };
    const back = await scene.collect(1_500_000n, payer);
    await scene.compare();
    expect((await decide(sent.deposit_id, returns)).body.error).to.equal('transaction_unknown');
    const returned = await decide(sent.deposit_id, { ...returns, return_tx_id: back });
    expect(done(returned)).to.include({ status: 'returned' });
    expect(await scene.shown()).to.include({ unbound: 0, unbound_usd: 0 });
  });

  it('are of the agent that links the wallet they came from, before or after', async () => {
    const agent = await scene.platform.agent();
    await pay(2_000_000n);
    await read();
    const link = (signature?: unknown) =>
      scene.platform.request('POST /api/v1/wallets/link?wait=20', {
        key: agent.key,
        body: { network: 'evm', address: payer, ...(signature !== undefined && { signature }) },
      });
    const { message } = done(await link());
    const text = `0x${Buffer.from(message).toString('hex')}`;
    done(await link(await scene.evm.send('personal_sign', [text, payer])));
    expect(await cashOf(agent)).to.equal(2);
    await pay(3_000_000n);
    await read();
    expect(await cashOf(agent)).to.equal(5);
    expect(await unclaimed()).to.deep.equal([]);
  });

  it('are no payments for calls, nor what was paid for one later', async () => {
    const { settle, status } = await scene.unsettled();
    await settle();
    await scene.compare();
    expect(await read()).to.deep.equal([{ transfers: 0 }]);
    expect(await status()).to.equal('settled');
    // One that is read, and whose payment is open still.
    const open = await scene.unsettled();
    await scene.platform.query(OPEN, [open.nonce, `0x${'5a'.repeat(32)}`]);
    expect(await read()).to.deep.equal([{ transfers: 0 }]);

    // One is on the chain, and its call comes afterwards.
    const early = await scene.payment();
    await early.settle();
    expect(await read()).to.deep.equal([{ transfers: 1 }]);
    const [kept] = await unclaimed();
    expect(kept).to.include({ sender: early.sender, usd: 0.002 });
    expect((await scene.call(early.headers)).status).to.equal(200);
    expect(await scene.shown()).to.include({ unbound: 0, unbound_usd: 0 });
    expect(await read()).to.deep.equal([{ transfers: 0 }]);
    const [{ deposits }] = await scene.platform.query(
      'select count(*)::int as deposits from deposit where tx_id = $1',
      [kept.tx_id],
    );
    expect(deposits).to.equal(1);
  });

  it('are of nobody where a wallet of our own sent them', async () => {
    const own = newAddress();
    await scene.platform.query(
      `insert into hot_wallet (chain_id, address, next_nonce, first_nonce, compared_to)
       values (8453, $1, 0, 0, 0)`,
      [own],
    );
    await scene.evm.mint(own, 4_000_000n);
    await scene.evm.fund(own, 10n ** 18n);
    await scene.evm.send('anvil_impersonateAccount', [own]);
    const data = TOKEN.encodeFunctionData('transfer', [scene.payTo, 4_000_000n]);
    await scene.evm.send('eth_sendTransaction', [{ from: own, to: USDC, data }]);
    expect(await read()).to.deep.equal([{ transfers: 0 }]);
    expect(await unclaimed()).to.deep.equal([]);
  });

  it('pay for no call that comes when they were credited or paid back', async () => {
    const agent = await scene.platform.agent();
    const kept = async () => {
      const early = await scene.payment();
      await early.settle();
      await read();
      return { ...early, id: (await unclaimed())[0].deposit_id as number };
    };
    const [credited, returned] = [await kept(), await kept()];
    done(await decide(credited.id, { decision: 'credit', agent_id: agent.id }));
    const back = await scene.collect(2_000n, returned.sender);
    await scene.compare();
    done(await decide(returned.id, { decision: 'return', return_tx_id: back }));
    const refused = { error: 'payment_failed', details: { reason: 'used_before', charged: null } };
    for (const { headers } of [credited, credited, returned]) {
      expect((await scene.call(headers)).body).to.deep.include(refused);
    }
    expect(await cashOf(agent)).to.equal(0.002);
  });

  it('are known also by the index that they had before', async () => {
    const age = (id: number) =>
      scene.platform.query('update deposit set tx_index = tx_index - 1000000000 where id = $1', [
        id,
      ]);
    const agent = await scene.platform.agent();
    const early = await scene.payment();
    await early.settle();
    await read();
    const [{ deposit_id: id }] = await unclaimed();
    await age(id);
    expect(await read()).to.deep.equal([{ transfers: 0 }]);
    done(await decide(id, { decision: 'credit', agent_id: agent.id }));
    expect((await scene.call(early.headers)).body.error).to.equal('payment_failed');
    expect(await cashOf(agent)).to.equal(0.002);
  });
});

/** The transfer of a payment, as if it had been read. */
const OPEN = `
  insert into x402_transfer
    (network, asset, pay_to, sender, nonce, amount, tx_hash, log_index, block_number, credited)
  select network, asset, lower(pay_to), payer, nonce, amount, $2, 0, 0, false
    from x402_payment where nonce = $1`;
