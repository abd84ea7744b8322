import { expect } from 'chai';
import { Wallet } from 'ethers';

import { startPrices, type PriceServer } from '../../sandbox/prices/prices.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { newAddress } from '../deposits/evm/payer.ts';
import { eventually } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { openFaultyRpc, type FaultyRpc } from '../withdrawals/faulty_rpc.ts';
import { openComparing, TOKEN, type Comparing } from './comparing.ts';
import { USDC } from './signed.ts';

/** The first block of Base. */
const FIRST_BLOCK = '0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd';

describe('a transaction with many transfers, one of which goes to the address of paid calls', () => {
  let scene: Comparing;
  let prices: PriceServer;
  let rpc: FaultyRpc;
  const recipient = newAddress();
  before(async () => {
    prices = await startPrices();
    // Both addresses are paid on one network, as in production.
    scene = await openComparing(async (evm) => {
      rpc = await openFaultyRpc(evm.url);
      rpc.on('eth_getBlockByNumber', async ([block], forward) => {
        const found = (await forward()) as object;
        return block === '0x0' ? { ...found, hash: FIRST_BLOCK } : found;
      });
      return {
        PRICE_SOURCES: prices.sources,
        SANDBOX: 'false',
        BASE_RPC_URLS: rpc.url,
        EVM_DEPOSIT_ADDRESS: recipient,
      };
    });
    await scene.compare();
    await searched();
  });
  afterEach(async () => expect(await scene.untrue()).to.deep.equal([]));
  after(async () => {
    await scene.close();
    rpc.close();
    await prices.close();
  });

  /** All final blocks were searched. */
  const searched = async () => {
    const { number } = (await scene.evm.send('eth_getBlockByNumber', ['finalized', false])) as {
      number: string;
    };
    await eventually(async () => {
      await runTimer(scene.platform, 'watch_chains');
      const sql = 'select from chain_cursor where position >= $1';
      return (await scene.platform.query(sql, [Number(number)])).length === 1;
    }, Boolean);
  };
  const suspended = async () => {
    const [{ transfers }] = (await runTimer(scene.platform, 'suspend_x402_transfers')) as [
      { transfers: number },
    ];
    return transfers;
  };
  /** One transaction of a contract that pays all of these. */
  const payAll = async (paid: readonly (readonly [to: string, amount: bigint])[]) => {
    const contract = Wallet.createRandom().address;
    await scene.evm.send('anvil_setCode', [contract, CALLER]);
    await scene.evm.mint(contract, 1_000_000_000n);
    const calls = paid.map((one) => TOKEN.encodeFunctionData('transfer', one).slice(2));
    const data = `0x${USDC.slice(2).padStart(64, '0')}${calls.join('')}`;
    const [from] = (await scene.evm.send('eth_accounts')) as string[];
    const call = [{ from, to: contract, data, gas: '0x989680' }];
    const hash = await scene.evm.send('eth_sendTransaction', call);
    await eventually(() => scene.evm.send('eth_getTransactionReceipt', [hash]), Boolean);
    await scene.compare();
    return hash as string;
  };

  it('is a row for each, whichever address it pays', async () => {
    const txId = await payAll([
      [recipient, 2_000_000n],
      [scene.payTo, 3_000_000n],
      [recipient, 4_000_000n],
    ]);
    await searched();
    expect(await suspended()).to.equal(1);
    expect(await suspended()).to.equal(0);
    const rows = await scene.platform.query(
      'select network, rail, amount::int, status from deposit where tx_id = $1 order by amount',
      [txId],
    );
    const of = (rail: string, amount: number) => {
      return { network: 'base', rail, amount, status: 'unclaimed' };
    };
    expect(rows).to.deep.equal([
      of('base', 2_000_000),
      of('x402', 3_000_000),
      of('base', 4_000_000),
    ]);
  });

  it('pays back what came to its own address, and no deposit besides', async () => {
    const txId = await payAll([
      [recipient, 2_000_000n],
      [scene.payTo, 2_000_000n],
    ]);
    await searched();
    expect(await suspended()).to.equal(1);
    const rows = (await scene.platform.query(
      'select id::int, rail, sender from deposit where tx_id = $1 order by rail',
      [txId],
    )) as { id: number; rail: string; sender: string }[];
    expect(rows.map(({ rail }) => rail)).to.deep.equal(['base', 'x402']);
    const [deposit, call] = rows;
    const back = await scene.collect(2_000_000n, deposit!.sender);
    await scene.compare();
    await searched();
    const decide = ({ id }: { id: number }) =>
      scene.platform.request(`POST /api/v1/admin/unclaimed/${id}/decide?wait=20`, {
        key: OPERATOR_TOKEN,
        body: { decision: 'return', return_tx_id: back, evidence: 'Its payer wrote to us.' },
      });
    for (const _again of [1, 2]) {
      expect((await decide(deposit!)).body.error).to.equal('deposit_invalid');
    }
    expect((await decide(call!)).body.status).to.equal('returned');
    expect((await decide(deposit!)).body.error).to.equal('deposit_invalid');
  });

  it('is a row for each also where all are alike, and the largest come first', async () => {
    await payAll(Array.from({ length: 70 }, () => [scene.payTo, 1n]));
    await payAll([[scene.payTo, 5_000_000n]]);
    expect(await suspended()).to.equal(50);
    const recorded = async () =>
      (
        await scene.platform.query(
          `select count(*)::int, sum(amount)::int as sum from deposit
            where rail = 'x402' and amount in (1, 5000000)`,
        )
      )[0];
    // The audit looks for the deposits of what is suspended whole.
    const isWhole = async () =>
      (await scene.platform.query('select suspended_to = compared_to as whole from x402_cursor'))[0]
        .whole;
    expect(await recorded()).to.deep.equal({ count: 50, sum: 5_000_049 });
    expect(await isWhole()).to.equal(false);
    expect([await suspended(), await suspended()]).to.deep.equal([21, 0]);
    expect(await recorded()).to.deep.equal({ count: 71, sum: 5_000_070 });
    expect(await isWhole()).to.equal(true);
    await scene.platform.query(
      `update deposit set amount = 2
        where id = (select max(id) from deposit where rail = 'x402' and amount = 1)`,
    );
    const found = await scene.untrue();
    expect(found).to.deep.equal([
      'each transfer to the address that is paid by x402 is a payment, a deposit or our own',
    ]);
    await scene.platform.query('update deposit set amount = 1 where amount = 2');
  });
});

/** Calls the address in its first word with each 68 bytes that follow. */
const CALLER = '0x365f5f3760205b5f5f6044835f5f355af15060440180361160065700';
