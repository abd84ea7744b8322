// test:all: a chain and workers fail.
import { expect } from 'chai';

import { FINAL_AFTER } from '../../sandbox/evm/anvil.ts';
import { openPayouts } from '../../workers/gateways/evm/payouts.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { admin } from '../faults/children.ts';
import type { TestPlatform } from '../harness.ts';
import { newAddress, rowOf, type Chain } from './chain.ts';
import { faultOf, openRounds, type Rounds } from './rounds.ts';

const SEND = 'eth_sendRawTransaction';
const RECEIPT = 'eth_getTransactionReceipt';

/** Rounds of payments are run one by one, by nobody else: no worker runs. */
describe('a withdrawal, when the chain or a worker fails', () => {
  let rounds: Rounds;
  let chain: Chain;
  let platform: TestPlatform;
  let agent: Rounds['agent'];

  before(async () => {
    rounds = await openRounds();
    ({ chain, platform, agent } = rounds);
  });
  afterEach(() => rounds.honest());
  after(() => rounds.close());

  it('is paid once, whichever round its worker is killed in', async () => {
    const before = [await rounds.sentByWallet(), await rounds.payments()] as const;
    const made = await rounds.due();
    for (const stage of ['begins', 'signs', 'sends', 'finds it in a block']) {
      await rounds.killedRound();
      await rounds.killedRound();
      expect(await chain.evm.balanceOf(made.address), stage).to.equal(
        ['sends', 'finds it in a block'].includes(stage) ? 1_000_000n : 0n,
      );
      await rounds.round();
    }
    await chain.evm.mine(FINAL_AFTER);
    await rounds.killedRound();
    expect((await rowOf(platform, made.id)).status).to.equal('processing');
    await rounds.expectPaidOnce(made);
    expect([await rounds.sentByWallet(), await rounds.payments()]).to.deep.equal(
      before.map((n) => n + 1),
    );
  });

  it('is paid once when nobody says that it was sent', async () => {
    const made = await rounds.signed();
    rounds.both(SEND, async (_params, forward) => {
      await forward();
      return 'break';
    });
    await rounds.round();
    rounds.honest();
    await rounds.expectPaidOnce(made);
  });

  it('is sent again, as it was, when the providers forget it', async () => {
    const made = await rounds.signed();
    rounds.both(SEND, async () => `0x${'0'.repeat(64)}`);
    await rounds.round();
    await rounds.round();
    expect(await chain.evm.balanceOf(made.address)).to.equal(0n);
    rounds.honest();
    await rounds.expectPaidOnce(made);
    expect(await rounds.signedFor(made.id)).to.equal(1);
  });

  it('is sent again, as it was, when its block is no part of the chain any more', async () => {
    const made = await rounds.signed();
    await rounds.round();
    await rounds.round();
    const { tx_hash } = await rowOf(platform, made.id);
    expect(tx_hash).to.match(/^0x/);
    await chain.evm.dropBlock();
    expect(await chain.evm.balanceOf(made.address)).to.equal(0n);
    await rounds.expectPaidOnce(made);
    expect((await rowOf(platform, made.id)).tx_hash).to.equal(tx_hash);
    expect(await rounds.signedFor(made.id)).to.equal(1);
  });

  it('is replaced by one of the same nonce that offers more, when nobody takes it', async () => {
    const made = await rounds.signed();
    const before = await rounds.sentByWallet();
    await chain.evm.send('evm_setAutomine', [false]);
    await rounds.round();
    await rounds.round();
    expect(await rounds.signedFor(made.id)).to.equal(1);
    await admin(
      platform,
      `update payout_transaction set signed_at = now() - interval '1 hour'
        where withdrawal_id = ${made.id}`,
    );
    await rounds.round();
    await rounds.round();
    expect(await rounds.signedFor(made.id)).to.equal(2);
    await chain.evm.send('evm_setAutomine', [true]);
    await chain.evm.mine();
    await rounds.expectPaidOnce(made);
    expect(await rounds.sentByWallet()).to.equal(before + 1);
    const sql = `select t.attempt from payout_transaction t join withdrawal w
                     on w.id = t.withdrawal_id and w.tx_hash = t.hash where w.id = $1`;
    expect(await platform.query(sql, [made.id])).to.deep.equal([{ attempt: 2 }]);
  });

  it('is not believed to be paid, nor to have failed, because one of two providers says so', async () => {
    const made = await rounds.signed();
    rounds.both(SEND, async () => `0x${'0'.repeat(64)}`);
    const block = (await chain.evm.send('eth_getBlockByNumber', ['0x1', false])) as {
      hash: string;
    };
    for (const status of ['0x1', '0x0']) {
      const receipt = { status, blockNumber: '0x1', blockHash: block.hash, logs: [] };
      rounds.one.on(RECEIPT, async () => receipt);
      await rounds.round();
      await rounds.round();
      expect((await rowOf(platform, made.id)).status).to.equal('processing');
    }
    expect(await platform.balance(agent)).to.equal(100 - (await rounds.payments()) - 1 + 0.5);
    rounds.honest();
    await rounds.expectPaidOnce(made);
  });

  it('goes on when a provider that did not answer is right', async () => {
    const made = await rounds.signed();
    rounds.one.on('eth_getBlockByNumber', () => 'break');
    expect(await faultOf(rounds.round())).to.contain('does not answer');
    expect((await rowOf(platform, made.id)).status).to.equal('processing');
    rounds.one.honest();
    await rounds.expectPaidOnce(made);
  });

  it('is paid beside one whose answers are lost, which stays as it was', async () => {
    const [lost, other] = [await rounds.signed(), await rounds.signed()];
    await rounds.round();
    const [{ hash }] = await platform.query(
      `select hash from payout_transaction where withdrawal_id = ${lost.id}`,
    );
    rounds.both(RECEIPT, async ([asked], forward) => (asked === hash ? 'break' : forward()));
    await rounds.expectPaidOnce(other);
    expect(await rowOf(platform, lost.id)).to.include({ status: 'processing', tx_hash: hash });
    const open = await rounds.signed();
    rounds.both(RECEIPT, () => 'break');
    expect(await faultOf(rounds.round())).to.contain('does not answer');
    rounds.honest();
    await rounds.expectPaidOnce(lost);
    await rounds.expectPaidOnce(open);
  });

  it('is not sent while a provider is of another chain, which is asked no more', async () => {
    const made = await rounds.signed();
    const payouts = openPayouts(platform.config.withdrawals); // As a worker that starts now has it.
    const asked: string[] = [];
    rounds.one.on('eth_chainId', async () => '0x1');
    for (const method of ['eth_getTransactionCount', RECEIPT, SEND]) {
      rounds.one.on(method, async (_params, forward) => {
        asked.push(method);
        return forward();
      });
    }
    expect(await faultOf(rounds.round(payouts))).to.contain('is of chain 1, not 8453');
    expect(asked).to.deep.equal([]);
    expect(await chain.evm.balanceOf(made.address)).to.equal(0n);
    rounds.one.honest();
    await rounds.round(payouts);
    expect(await chain.evm.balanceOf(made.address)).to.equal(1_000_000n);
    await rounds.expectPaidOnce(made);
  });

  it('is signed by no other wallet than it was begun with, which operators see', async () => {
    const made = await rounds.due();
    await rounds.round();
    const { payouts } = platform.context.gateways!;
    const address = newAddress();
    const ofOther = { ...payouts, wallet: async () => ({ ...(await payouts.wallet()), address }) };
    for (let n = 0; n < 2; n += 1) await rounds.round(ofOther);
    expect(await rounds.signedFor(made.id)).to.equal(0);
    expect((await rowOf(platform, made.id)).needs).to.equal('other_wallet');
    await rounds.round();
    await rounds.expectPaidOnce(made);
  });

  it('is not begun while its agent is suspended', async () => {
    const made = await rounds.due();
    const operator = { key: OPERATOR_TOKEN, body: { note: 'We look at it.' } };
    const set = (what: string) =>
      platform.request(`POST /api/v1/admin/agents/${agent.id}/${what}`, operator);
    expect((await set('suspend')).status).to.equal(200);
    await rounds.round();
    expect((await rowOf(platform, made.id)).status).to.equal('requested');
    expect((await set('resume')).status).to.equal(200);
    await rounds.round();
    expect((await rowOf(platform, made.id)).status).to.equal('processing');
    await rounds.round();
    await rounds.expectPaidOnce(made);
  });

  it('is cancelled until it has its nonce, and not after that', async () => {
    const cancel = ({ id }: { id: number }) =>
      platform.request(`POST /api/v1/wallet/withdrawals/${id}/cancel`, { key: agent.key });
    const early = await rounds.due();
    expect((await cancel(early)).body.status).to.equal('cancelled');
    const late = await rounds.due();
    await rounds.round();
    expect((await rowOf(platform, early.id)).nonce).to.equal(null);
    const reply = await cancel(late);
    expect([reply.status, reply.body.error]).to.deep.equal([409, 'invalid_transition']);
    await rounds.round();
    await rounds.expectPaidOnce(late);
  });

  it('comes back when the token refuses it', async () => {
    const made = await rounds.signed();
    // It had the money when it was signed, and something else has spent it since.
    const has = await chain.evm.balanceOf(chain.wallet.address);
    const before = await platform.balance(agent);
    await chain.evm.send('anvil_dealERC20', [chain.wallet.address, chain.evm.usdc, '0x0']);
    await rounds.round();
    await chain.evm.mine(FINAL_AFTER);
    await rounds.round();
    expect((await rowOf(platform, made.id)).status).to.equal('failed');
    expect(await platform.balance(agent)).to.equal(before + 1);
    await chain.evm.mint(chain.wallet.address, has);
  });

  it('is given back by an operator only once another transaction has its nonce, finally', async () => {
    const made = await rounds.signed();
    const route = `POST /api/v1/admin/withdrawals/${made.id}/review`;
    const refund = { key: OPERATOR_TOKEN, body: { decision: 'refund' } };
    const { nonce } = await rowOf(platform, made.id);
    await chain.evm.send('anvil_impersonateAccount', [chain.wallet.address]);
    const value = { from: chain.wallet.address, to: newAddress(), value: '0x1' };
    await chain.evm.send('eth_sendTransaction', [{ ...value, nonce: `0x${nonce!.toString(16)}` }]);
    await rounds.round();
    expect((await rowOf(platform, made.id)).needs).to.equal(null);
    expect((await platform.request(route, refund)).status).to.equal(409);
    await chain.evm.mine(FINAL_AFTER);
    await rounds.round();
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
