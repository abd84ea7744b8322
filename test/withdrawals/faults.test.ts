import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { FINAL_AFTER } from '../../local/sandbox/evm/anvil.ts';
import { PLATFORM } from '../../shared/agents/caller.ts';
import { audit } from '../../shared/composition/audit.ts';
import { perform } from '../../shared/kernel/perform.ts';
import { comparePayouts } from '../../shared/withdrawals/compare_payouts.ts';
import { payWithdrawals } from '../../shared/withdrawals/pay_withdrawals.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { admin } from '../faults/children.ts';
import { TestPlatform } from '../harness.ts';
import { newAddress, openChain, rowOf, withdraw, type Chain } from './chain.ts';
import { openFaultyRpc, type FaultyRpc } from './faulty_rpc.ts';

const SEND = 'eth_sendRawTransaction';
const RECEIPT = 'eth_getTransactionReceipt';

/** Rounds of payments are run one by one, by nobody else: no worker runs. */
describe('a withdrawal, when the chain or a worker fails', () => {
  let chain: Chain;
  let one: FaultyRpc;
  let other: FaultyRpc;
  let platform: TestPlatform;
  let agent: { id: number; key: string };

  before(async () => {
    chain = await openChain();
    [one, other] = [await openFaultyRpc(chain.evm.url), await openFaultyRpc(chain.evm.url)];
    const env = { ...chain.env, BASE_RPC_URLS: `${one.url} ${other.url}` };
    platform = await TestPlatform.open({ env: { ...env, WITHDRAWAL_HOLD_HOURS: '1' } });
    agent = await platform.agent({ usd: 100 });
    await platform.pauseWorkers();
  });
  afterEach(() => {
    one.honest();
    other.honest();
  });
  /** The ledger is what the chain says: all that left the wallet was withdrawn, once. */
  after(async () => {
    await run(comparePayouts);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    [one, other].forEach((rpc) => rpc.close());
    await chain.evm.close();
  });

  const both = (method: string, behaviour: Parameters<FaultyRpc['on']>[1]) =>
    [one, other].forEach((rpc) => rpc.on(method, behaviour));

  function run(op: typeof payWithdrawals | typeof comparePayouts, killed = false) {
    const { context } = platform;
    const call = { caller: PLATFORM, key: randomUUID(), now: new Date(), requestId: 'a test' };
    const finish = async () => {
      if (killed) throw new Error('it was killed before COMMIT');
    };
    return perform(context, op as never, {}, call, { finish });
  }
  const round = () => run(payWithdrawals);
  /** All that it does outside is done, and nothing of that is recorded. */
  const killedRound = async () => {
    expect(await faultOf(run(payWithdrawals, true))).to.contain('killed');
  };
  const faultOf = (work: Promise<unknown>) => work.catch((error: Error) => error.message);

  /** A withdrawal of $1 that is due. */
  async function due(): Promise<{ id: number; address: string }> {
    const address = newAddress();
    await platform.resumeWorkers();
    const { body } = await withdraw(platform, agent, { amount: 1, address });
    await platform.pauseWorkers();
    const id = body.withdrawal_id as number;
    await platform.query('update withdrawal set not_before = now() where id = $1', [id]);
    return { id, address };
  }

  /** One whose transaction is signed and stored, and not sent. */
  async function signed() {
    const made = await due();
    await round();
    await round();
    expect(await signedFor(made.id)).to.equal(1);
    return made;
  }

  const signedFor = async (id: number): Promise<number> => {
    const sql = 'select count(*)::int as n from payout_transaction where withdrawal_id = $1';
    return (await platform.query(sql, [id]))[0].n;
  };
  const sentByWallet = async () =>
    Number(await chain.evm.send('eth_getTransactionCount', [chain.wallet.address, 'latest']));
  const payments = async (): Promise<number> => {
    const sql = `select count(*)::int as n from withdrawal where status = 'paid'`;
    return (await platform.query(sql))[0].n;
  };

  async function expectPaidOnce({ id, address }: { id: number; address: string }) {
    await round();
    await chain.evm.mine(FINAL_AFTER);
    await round();
    expect((await rowOf(platform, id)).status).to.equal('paid');
    expect(await chain.evm.balanceOf(address)).to.equal(1_000_000n);
  }

  it('is paid once, whichever round its worker is killed in', async () => {
    const before = [await sentByWallet(), await payments()] as const;
    const made = await due();
    for (const stage of ['begins', 'signs', 'sends', 'finds it in a block']) {
      await killedRound();
      await killedRound();
      expect(await chain.evm.balanceOf(made.address), stage).to.equal(
        ['sends', 'finds it in a block'].includes(stage) ? 1_000_000n : 0n,
      );
      await round();
    }
    await chain.evm.mine(FINAL_AFTER);
    await killedRound();
    expect((await rowOf(platform, made.id)).status).to.equal('processing');
    await expectPaidOnce(made);
    expect([await sentByWallet(), await payments()]).to.deep.equal(before.map((n) => n + 1));
  });

  it('is paid once when nobody says that it was sent', async () => {
    const made = await signed();
    both(SEND, async (_params, forward) => {
      await forward();
      return 'break';
    });
    await round();
    [one, other].forEach((rpc) => rpc.honest());
    await expectPaidOnce(made);
  });

  it('is sent again, as it was, when the providers forget it', async () => {
    const made = await signed();
    both(SEND, async () => `0x${'0'.repeat(64)}`);
    await round();
    await round();
    expect(await chain.evm.balanceOf(made.address)).to.equal(0n);
    [one, other].forEach((rpc) => rpc.honest());
    await expectPaidOnce(made);
    expect(await signedFor(made.id)).to.equal(1);
  });

  it('is sent again, as it was, when its block is no part of the chain any more', async () => {
    const made = await signed();
    await round();
    await round();
    const { tx_hash } = await rowOf(platform, made.id);
    expect(tx_hash).to.match(/^0x/);
    await chain.evm.send('anvil_reorg', [1, []]);
    expect(await chain.evm.balanceOf(made.address)).to.equal(0n);
    await expectPaidOnce(made);
    expect((await rowOf(platform, made.id)).tx_hash).to.equal(tx_hash);
    expect(await signedFor(made.id)).to.equal(1);
  });

  it('is replaced by one of the same nonce that offers more, when nobody takes it', async () => {
    const made = await signed();
    const before = await sentByWallet();
    await chain.evm.send('evm_setAutomine', [false]);
    await round();
    await round();
    expect(await signedFor(made.id)).to.equal(1);
    await admin(
      platform,
      `update payout_transaction set signed_at = now() - interval '1 hour'
        where withdrawal_id = ${made.id}`,
    );
    await round();
    await round();
    expect(await signedFor(made.id)).to.equal(2);
    await chain.evm.send('evm_setAutomine', [true]);
    await chain.evm.mine();
    await expectPaidOnce(made);
    expect(await sentByWallet()).to.equal(before + 1);
    const sql = `select t.attempt from payout_transaction t join withdrawal w
                     on w.id = t.withdrawal_id and w.tx_hash = t.hash where w.id = $1`;
    expect(await platform.query(sql, [made.id])).to.deep.equal([{ attempt: 2 }]);
  });

  it('is not believed to be paid, nor to have failed, because one of two providers says so', async () => {
    const made = await signed();
    both(SEND, async () => `0x${'0'.repeat(64)}`);
    const block = (await chain.evm.send('eth_getBlockByNumber', ['0x1', false])) as {
      hash: string;
    };
    for (const status of ['0x1', '0x0']) {
      const receipt = { status, blockNumber: '0x1', blockHash: block.hash, logs: [] };
      one.on(RECEIPT, async () => receipt);
      await round();
      await round();
      expect((await rowOf(platform, made.id)).status).to.equal('processing');
    }
    expect(await platform.balance(agent)).to.equal(100 - (await payments()) - 1 + 0.5);
    [one, other].forEach((rpc) => rpc.honest());
    await expectPaidOnce(made);
  });

  it('goes on when a provider that did not answer, or was of another chain, is right', async () => {
    const made = await signed();
    one.on('eth_getBlockByNumber', () => 'break');
    expect(await faultOf(round())).to.contain('does not answer');
    expect((await rowOf(platform, made.id)).status).to.equal('processing');
    one.honest();
    await expectPaidOnce(made);
  });

  it('comes back when the token refuses it', async () => {
    const made = await signed();
    // It had the money when it was signed, and something else has spent it since.
    const has = await chain.evm.balanceOf(chain.wallet.address);
    const before = await platform.balance(agent);
    await chain.evm.send('anvil_dealERC20', [chain.wallet.address, chain.evm.usdc, '0x0']);
    await round();
    await chain.evm.mine(FINAL_AFTER);
    await round();
    expect((await rowOf(platform, made.id)).status).to.equal('failed');
    expect(await platform.balance(agent)).to.equal(before + 1);
    await chain.evm.mint(chain.wallet.address, has);
  });

  it('is given back by an operator only once another transaction has its nonce, finally', async () => {
    const made = await signed();
    const route = `POST /api/v1/admin/withdrawals/${made.id}/review`;
    const refund = { key: OPERATOR_TOKEN, body: { decision: 'refund' } };
    const { nonce } = await rowOf(platform, made.id);
    await chain.evm.send('anvil_impersonateAccount', [chain.wallet.address]);
    const value = { from: chain.wallet.address, to: newAddress(), value: '0x1' };
    await chain.evm.send('eth_sendTransaction', [{ ...value, nonce: `0x${nonce!.toString(16)}` }]);
    await round();
    expect((await rowOf(platform, made.id)).needs).to.equal(null);
    expect((await platform.request(route, refund)).status).to.equal(409);
    await chain.evm.mine(FINAL_AFTER);
    await round();
    expect((await rowOf(platform, made.id)).needs).to.equal('nonce_taken');
    const { body } = await platform.request('GET /api/v1/admin/withdrawals', {
      key: OPERATOR_TOKEN,
    });
    expect(body.withdrawals[0]).to.include({ withdrawal_id: made.id, nonce });
    const before = await platform.balance(agent);
    expect((await platform.request(route, refund)).status).to.equal(200);
    expect(await platform.balance(agent)).to.equal(before + 1);
  });
});
