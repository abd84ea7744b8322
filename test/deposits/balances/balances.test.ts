import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../../access/scene.ts';
import { admin } from '../../faults/children.ts';
import { eventually } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { done } from '../../tasks/board.ts';
import { openBasePlatform, type BasePlatform } from '../evm/platform.ts';
import { newAddress, TOKEN } from '../evm/payer.ts';
import { XPUB } from '../evm/xpub.ts';
import { balancesOn } from './balances_on.ts';

const ETH = 10n ** 18n;

describe('balances of our addresses', () => {
  let base: BasePlatform;
  let on: ReturnType<typeof balancesOn>;
  before(async () => {
    base = await openBasePlatform({ EVM_DEPOSIT_XPUB: XPUB });
    on = balancesOn(base);
    await on.read();
  });
  afterEach(async () => {
    base.providers.forEach((provider) => provider.honest());
    expect(await audit(base.platform.context.database)).to.deep.equal([]);
  });
  after(() => base.close());

  it('credit once what a contract pays to an address of one agent', async () => {
    const agent = await base.platform.agent();
    const address = await on.addressOf(agent);
    const hash = await base.withinContract(address, ETH / 100n);
    const { number } = (await base.evm.send('eth_getBlockByNumber', ['latest', false])) as {
      number: string;
    };
    await on.read();
    const [deposit, ...more] = await on.depositsOf(agent);
    expect(more).to.deep.equal([]);
    expect(deposit).to.include({ status: 'credited', usd: 30, amount: `${ETH / 100n}` });
    expect(deposit.tx_id).to.equal(`balance:${Number(number)}:${address}`);
    expect(await on.cashOf(agent)).to.equal(30);

    // Nor does the transaction, nor what is read once more.
    expect((await on.verify(agent, hash)).body.error).to.equal('deposit_invalid');
    await base.platform.query('update chain_balance_page set read_at = null');
    await on.read();
    expect(await on.cashOf(agent)).to.equal(30);
  });

  it('add nothing to payments that are found by their transactions', async () => {
    const agent = await base.platform.agent();
    const address = await on.addressOf(agent);
    await on.read();
    await base.coin(address, ETH / 1_000n);
    await base.usdc(address, 2_000_000n);
    await base.withinContract(address, ETH / 500n);
    await base.coin(address, ETH / 1_000n);
    await on.read();
    const found = await on.depositsOf(agent);
    const amounts = found.map(({ usd, tx_id }: { usd: number; tx_id: string }) => [
      usd,
      tx_id.startsWith('balance:'),
    ]);
    expect(amounts).to.have.deep.members([
      [3, false],
      [2, false],
      [6, true],
      [3, false],
    ]);
    expect(await on.cashOf(agent)).to.equal(14);
  });

  it('show what a contract pays to the shared address as unclaimed, and it can be claimed', async () => {
    const agent = await base.platform.agent();
    const hash = await base.withinContract(base.recipient, ETH / 200n);
    const refused = await on.verify(agent, hash);
    await on.read();
    const payment = (await on.unclaimed())[0];
    expect(payment).to.include({ asset: 'ETH', usd: 15, sender: 'unknown' });
    expect(refused.body.message).to.include(payment.tx_id);
    const claimed = await base.platform.request('POST /api/v1/wallet/deposits/claims', {
      key: agent.key,
      body: {
        rail: 'base',
        tx_id: payment.tx_id,
        statement: 'My wallet is a Safe, and it paid 0.005 ETH in the block of this id.',
      },
    });
    expect(done(claimed).claims).to.have.lengthOf(1);
    const decided = await base.platform.request(
      `POST /api/v1/admin/unclaimed/${payment.deposit_id}/decide?wait=20`,
      {
        key: OPERATOR_TOKEN,
        body: { decision: 'credit', agent_id: agent.id, evidence: 'The Safe signed for it.' },
      },
    );
    expect(done(decided)).to.include({ status: 'credited' });
    expect(await on.cashOf(agent)).to.equal(15);
  });

  it('know what left an address from what came', async () => {
    const agent = await base.platform.agent();
    const address = await on.addressOf(agent);
    await base.coin(address, ETH / 100n);
    await on.read();
    await on.sweep(address, ETH / 200n);
    await base.withinContract(address, ETH / 1_000n);
    // Paid, and collected to the last unit: its balance is as before.
    await base.usdc(address, 5_000_000n);
    await base.evm.send('anvil_impersonateAccount', [address]);
    const data = TOKEN.encodeFunctionData('transfer', [base.payer, 5_000_000n]);
    const hash = await base.evm.send('eth_sendTransaction', [
      { from: address, to: base.evm.usdc, data },
    ]);
    await eventually(() => base.evm.send('eth_getTransactionReceipt', [hash]), Boolean);
    await on.read();
    expect(await on.cashOf(agent)).to.equal(30 + 3 + 5);
  });

  it('are nothing that only one of two providers says', async () => {
    const agent = await base.platform.agent();
    const address = await on.addressOf(agent);
    await on.read();
    base.providers[0].on('eth_call', () => Promise.resolve(new Error('no such method')) as never);
    base.providers[0].on('eth_getBalance', async () => `0x${ETH.toString(16)}`);
    await base.finalize();
    await on.searchToEnd();
    await runTimer(base.platform, 'watch_balances');
    const shared = async () =>
      (
        await base.platform.query(
          'select fault, block::int from chain_balance_page where page = -1',
        )
      )[0];
    const faultOf = async () => (await shared()).fault;
    const end = await on.cursor();
    const { fault } = await eventually(shared, (one) => one.fault !== null || one.block === end);
    expect(fault).to.match(/do not agree/);
    expect(await on.cashOf(agent)).to.equal(0);
    base.providers[0].honest();
    await base.withinContract(address, ETH / 1_000n);
    await on.read();
    expect([await on.cashOf(agent), await faultOf()]).to.deep.equal([3, null]);
  });
});

describe('balances where no block is read whole', () => {
  let base: BasePlatform;
  let on: ReturnType<typeof balancesOn>;
  before(async () => {
    base = await openBasePlatform({ EVM_DEPOSIT_XPUB: XPUB, EVM_WHOLE_BLOCKS: 'none' });
    on = balancesOn(base);
    await on.read();
  });
  afterEach(async () => {
    expect(await audit(base.platform.context.database)).to.deep.equal([]);
  });
  after(() => base.close());

  it('find what wallets sent, and have the blocks read that changed them alone', async () => {
    const [agent, other] = [await base.platform.agent(), await base.platform.agent()];
    const address = await on.addressOf(agent);
    await on.linkPayer(other);
    await on.read();
    const paid = [
      await base.coin(address, ETH / 100n),
      await base.coin(base.recipient, ETH / 1_000n),
    ];
    await base.evm.mine(30);
    await base.withinContract(address, ETH / 1_000n);
    await base.evm.mine(30);
    const whole = await on.asked('eth_getBlockByNumber', () => on.read());
    expect(whole.filter(([, isWhole]) => isWhole)).to.have.lengthOf(3);
    expect(await on.cashOf(agent)).to.equal(33);
    const own = await on.depositsOf(agent);
    expect(own.map(({ tx_id }: { tx_id: string }) => tx_id)).to.include(paid[0]);
    const [linked] = await on.depositsOf(other);
    expect(linked).to.include({ tx_id: paid[1], usd: 3 });
    expect((await on.verify(agent, paid[0]!)).body).to.include({ status: 'credited', usd: 30 });
    expect(await on.cashOf(agent)).to.equal(33);
  });

  it('are counted once where a payment in them is known by its transaction later', async () => {
    const agent = await base.platform.agent();
    const address = await on.addressOf(agent);
    const hash = await base.coin(address, ETH / 100n);
    await on.read();
    expect(await on.cashOf(agent)).to.equal(30);
    // Removes everything but the balance that showed it.
    await admin(
      base.platform,
      `update deposit set tx_id = 'balance:' || position || ':' || recipient where tx_id = '${hash}'`,
    );
    expect((await on.verify(agent, hash)).body.error).to.equal('deposit_unbound');
    expect(await on.cashOf(agent)).to.equal(30);
  });
});

describe('balances of the address that is paid for calls', () => {
  const address = newAddress();
  let base: BasePlatform;
  let on: ReturnType<typeof balancesOn>;
  before(async () => {
    base = await openBasePlatform({
      X402_PAY_TO: address,
      X402_FACILITATOR_URL: 'http://127.0.0.1:1',
      X402_RPC_URL: 'http://127.0.0.1:1',
      SANDBOX: 'base,x402',
    });
    on = balancesOn(base);
    await on.read();
  });
  afterEach(async () => {
    expect(await audit(base.platform.context.database)).to.deep.equal([]);
  });
  after(() => base.close());

  it('show ETH that comes to it: it is unclaimed at once, or of the linked wallet it came from', async () => {
    const paid = await base.coin(address, ETH / 100n);
    await base.withinContract(address, ETH / 1_000n);
    // Read by the comparison of payments for calls, and by nothing else.
    await base.usdc(address, 4_000_000n);
    await on.read();
    const found = await on.unclaimed();
    expect(found).to.have.length(2);
    expect(found.map(({ usd }: { usd: number }) => usd)).to.have.members([30, 3]);
    const sent = found.find(({ tx_id }: { tx_id: string }) => tx_id === paid);
    expect(sent).to.include({ rail: 'base', asset: 'ETH', sender: base.payer.toLowerCase() });

    const agent = await base.platform.agent();
    await on.linkPayer(agent);
    expect(await on.cashOf(agent)).to.equal(30);
    await base.coin(address, ETH / 500n);
    await on.read();
    expect(await on.cashOf(agent)).to.equal(36);
  });
});
