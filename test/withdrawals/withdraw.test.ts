import { expect } from 'chai';

import { FINAL_AFTER } from '../../sandbox/evm/anvil.ts';
import { audit } from '../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { asOwner } from '../as_owner.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { eventsOf, runTimer, runSweep } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { newAddress, openChain, rowOf, untilClosed, withdraw, type Chain } from './chain.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const MISTYPED = USDC.replace('fCD6', 'FCD6');

describe('withdraw', () => {
  let chain: Chain;
  let platform: TestPlatform;

  before(async () => {
    chain = await openChain({ usd: 5_000 });
    platform = await TestPlatform.open({ env: chain.env });
  });
  after(async () => {
    await platform.close();
    await chain.evm.close();
  });

  it('pays cash out as USDC, once, and says by which transaction', async () => {
    const agent = await platform.agent({ usd: 10 });
    const address = newAddress();
    const { status, body } = await withdraw(platform, agent, { amount: 7.25, address });
    expect([status, body.status, body.amount, body.network], JSON.stringify(body)).to.deep.equal([
      200,
      'requested',
      7.25,
      'sandbox',
    ]);
    const closed = await untilClosed(platform, chain, body.withdrawal_id);
    expect(closed.status).to.equal('paid');
    expect(await chain.evm.balanceOf(address)).to.equal(7_250_000n);
    expect(await platform.balance(agent)).to.equal(3.25);
    await runTimer(platform, 'compare_payouts');
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.query(
      `update hot_wallet set compared_to = w.block_number - 1 from withdrawal w where w.id = $1`,
      [body.withdrawal_id],
    );
    expect(await runSweep(platform, 'compare_payouts')).to.deep.equal({ payments: 1 });
    expect(
      (await eventsOf(platform, agent)).filter((type) => type.startsWith('withdr')),
    ).to.deep.equal(['withdrawal.requested', 'withdrawal.processing', 'withdrawal.paid']);
  });

  describe('refuses, with the money unchanged,', () => {
    for (const [what, body, code] of [
      ['less than the least', { amount: 0.99 }, 'validation_error'],
      ['more than the most', { amount: 10_001 }, 'tx_limit_exceeded'],
      ['a mistyped checksum', { address: MISTYPED }, 'validation_error'],
      ['the contract of the token', { address: USDC.toLowerCase() }, 'validation_error'],
      ['the address of nobody', { address: `0x${'0'.repeat(40)}` }, 'validation_error'],
      ['the last address', { address: `0x${'f'.repeat(40)}` }, 'validation_error'],
      ['a contract of Base', { address: `0x42${'0'.repeat(37)}6` }, 'validation_error'],
      ['an address that is too short', { address: '0x12' }, 'validation_error'],
      [
        'more than there is of cash, whatever credit there is',
        { amount: 9 },
        'insufficient_balance',
      ],
    ] as const) {
      it(what, async () => {
        const agent = await platform.agent({ usd: 8.75 });
        const asked = { amount: 1, address: newAddress(), ...body };
        const reply = await withdraw(platform, agent, asked);
        expect(reply.body.error, reply.text).to.equal(code);
        expect(await platform.balance(agent)).to.equal(9.25);
      });
    }

    it('the wallet that pays', async () => {
      const [{ address }] = await platform.query('select address from hot_wallet limit 1');
      const agent = await platform.agent({ usd: 5 });
      const { body } = await withdraw(platform, agent, { amount: 1, address });
      expect(body.error).to.equal('validation_error');
    });

    it('what a limit of a policy forbids, and a suspended agent', async () => {
      const agent = await platform.agent({ usd: 50 });
      const ask = () => withdraw(platform, agent, { amount: 5, address: newAddress() });
      await setPolicy(platform, agent, { daily_spend_limit: 7_000_000 });
      expect((await ask()).status).to.equal(200);
      expect((await ask()).body.error).to.equal('daily_limit_exceeded');
      await setPolicy(platform, agent, { daily_spend_limit: null });
      const route = `POST /api/v1/admin/agents/${agent.id}/suspend`;
      await platform.request(route, { key: OPERATOR_TOKEN, body: { note: 'Fraud.' } });
      expect((await ask()).body.error).to.equal('agent_suspended');
      expect(await platform.balance(agent)).to.equal(45.5);
    });
  });

  it('pays no more to a tree than it may have in 24 hours, without what came back', async () => {
    const agent = await platform.agent({ usd: 25_000 });
    const ask = (amount: number) => withdraw(platform, agent, { amount, address: newAddress() });
    await ask(10_000);
    const second = (await ask(10_000)).body.withdrawal_id;
    const beyond = await ask(1);
    expect(beyond.body.error, beyond.text).to.equal('daily_limit_exceeded');
    expect(beyond.body.details).to.include({ limit: 20_000, used: 20_000 });
    await platform.request(`POST /api/v1/wallet/withdrawals/${second}/cancel`, { key: agent.key });
    expect((await ask(1_001)).body.review).to.equal('pending');
  });

  it('pays one of two that ask for the last cash at once', async () => {
    const agent = await platform.agent({ usd: 3 });
    const replies = await Promise.all(
      [1, 2].map(() => withdraw(platform, agent, { amount: 3, address: newAddress() })),
    );
    expect(replies.map((reply) => reply.status)).to.have.members([200, 402]);
  });

  it('either pays or gives back what is cancelled while it begins', async () => {
    const agent = await platform.agent({ usd: 20 });
    for (let n = 0; n < 4; n += 1) {
      const address = newAddress();
      const before = await platform.balance(agent);
      const { body } = await withdraw(platform, agent, { amount: 2, address });
      const id = body.withdrawal_id as number;
      const route = `POST /api/v1/wallet/withdrawals/${id}/cancel`;
      const cancelled = await platform.request(route, { key: agent.key });
      const { status } = await untilClosed(platform, chain, id);
      expect(status).to.equal(cancelled.status === 200 ? 'cancelled' : 'paid');
      const paid = await chain.evm.balanceOf(address);
      expect(paid).to.equal(status === 'paid' ? 2_000_000n : 0n);
      expect(await platform.balance(agent)).to.equal(before - Number(paid) / 1e6);
    }
  });

  it('is not begun where it was cancelled since the round looked', async () => {
    const agent = await platform.agent({ usd: 5 });
    const ask = (amount: number) => withdraw(platform, agent, { amount, address: newAddress() });
    await untilClosed(platform, chain, (await ask(1)).body.withdrawal_id);
    let [id, round] = [0, Promise.resolve<unknown>(undefined)];
    await asOwner(platform, 'begin; select from hot_wallet for update', async () => {
      id = (await ask(2)).body.withdrawal_id;
      round = runTimer(platform, 'pay_withdrawals');
      const waiting = () => platform.query(ROUNDS_THAT_WAIT, [id]);
      await eventually(waiting, (rounds) => rounds.length > 0);
      const route = `POST /api/v1/wallet/withdrawals/${id}/cancel`;
      const { body } = await platform.request(route, agent);
      expect(body.status).to.equal('cancelled');
    });
    await round;
    expect(await rowOf(platform, id)).to.include({ status: 'cancelled', nonce: null });
    expect(await platform.balance(agent)).to.equal(4.5);
  });
  const ROUNDS_THAT_WAIT = `select from pg_stat_activity join withdrawal w on w.id = $1
    where datname = current_database() and wait_event_type = 'Lock'
      and query like 'select id, next_nonce%' and xact_start > w.created_at`;

  it('waits while the wallet has too little USDC or gas, or gas costs too much', async () => {
    const agent = await platform.agent({ usd: 5 });
    const { body } = await withdraw(platform, agent, { amount: 2, address: newAddress() });
    const { address } = chain.wallet;
    const send = (method: string, ...params: unknown[]) => chain.evm.send(method, params);
    const usdc = `0x${(await chain.evm.balanceOf(address)).toString(16)}`;
    const gas = await send('eth_getBalance', address, 'latest');
    const baseFee = (wei: number) =>
      send('anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`);
    for (const [change, undo, reason] of [
      [
        () => send('anvil_dealERC20', address, chain.evm.usdc, '0x1'),
        () => send('anvil_dealERC20', address, chain.evm.usdc, usdc),
        'open payments need',
      ],
      [
        () => send('anvil_setBalance', address, '0x1'),
        () => send('anvil_setBalance', address, gas),
        'has 1 wei for gas',
      ],
      [() => baseFee(1e12), () => baseFee(1e9), 'above BASE_GWEI_MAX'],
    ] as const) {
      await change();
      await chain.evm.mine(FINAL_AFTER);
      await runTimer(platform, 'pay_withdrawals');
      const [{ fault }] = await platform.query('select fault from hot_wallet');
      expect(fault).to.contain(reason);
      const { status, nonce } = await rowOf(platform, body.withdrawal_id);
      expect([status, nonce]).to.deep.equal(['requested', null]);
      await undo();
    }
    expect((await untilClosed(platform, chain, body.withdrawal_id)).status).to.equal('paid');
  });

  it('waits for an operator above a sum, and for an owner at level high', async () => {
    const agent = await platform.agent({ usd: 5_000 });
    const address = newAddress();
    const large = (await withdraw(platform, agent, { amount: 1_001, address })).body;
    expect(large.review).to.equal('pending');
    const other = await platform.agent({ usd: 5 });
    const small = (await withdraw(platform, other, { amount: 1, address: newAddress() })).body;
    expect((await untilClosed(platform, chain, small.withdrawal_id)).status).to.equal('paid');
    expect((await rowOf(platform, large.withdrawal_id)).nonce).to.equal(null);
    const review = (decision: string) =>
      platform.request(`POST /api/v1/admin/withdrawals/${large.withdrawal_id}/review`, {
        key: OPERATOR_TOKEN,
        body: { decision, note: 'It is not his.' },
      });
    expect((await review('refund')).status).to.equal(409);
    expect((await review('deny')).body.status).to.equal('failed');
    expect((await review('approve')).status).to.equal(409);
    expect(await platform.balance(agent)).to.equal(5_000.5);

    await platform.request(`POST /agent/monitor/${agent.id}/policy`, {
      key: agent.key,
      body: { governance_level: 'high' },
    });
    const asked = await withdraw(platform, agent, { amount: 2, address });
    expect([asked.status, asked.body.status]).to.deep.equal([202, 'approval_required']);
    const approve = `POST /api/v1/approvals/${asked.body.approval_id}/approve`;
    await platform.request(approve, { key: agent.key });
    const job = await eventually(
      async () => (await platform.request(`GET ${asked.body.poll}`, { key: agent.key })).body,
      ({ status }) => status !== 'pending',
    );
    expect(job.result).to.include({ amount: 2, address });
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('pays to a new address only when it has waited, and then to known ones at once', async () => {
    const waiting = await TestPlatform.open({ env: { ...chain.env, WITHDRAWAL_HOLD_HOURS: '24' } });
    const agent = await waiting.agent({ usd: 5 });
    const address = newAddress();
    const { body } = await withdraw(waiting, agent, { amount: 1, address });
    const hours = (Date.parse(body.pays_from) - Date.parse(body.requested_at)) / 3_600_000;
    expect(hours).to.be.closeTo(24, 0.1);
    await runTimer(waiting, 'pay_withdrawals');
    expect((await rowOf(waiting, body.withdrawal_id)).status).to.equal('requested');
    const again = await withdraw(waiting, agent, { amount: 1, address });
    expect(again.body.pays_from).to.equal(body.pays_from);
    await waiting.close();
  });

  it('is unavailable where no chain is set, and says what to set', async () => {
    const off = await TestPlatform.open({ env: { BASE_RPC_URLS: '' } });
    const agent = await off.agent({ usd: 5 });
    const reply = await withdraw(off, agent, { amount: 1, address: newAddress() });
    expect([reply.status, reply.body.error]).to.deep.equal([503, 'rail_unavailable']);
    expect(reply.body.details.settings).to.include('BASE_RPC_URLS');
    await off.close();
  });
});
