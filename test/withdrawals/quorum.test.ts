import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect } from 'chai';

import { openPayouts } from '../../workers/gateways/evm/payouts.ts';
import { openQuorum } from '../../workers/gateways/evm/quorum_answers.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { HANG, type FaultyRpc } from './faulty_rpc.ts';
import { rowOf } from './chain.ts';
import { faultOf, openRounds, type Rounds } from './rounds.ts';

const METHODS = [
  'eth_call',
  'eth_chainId',
  'eth_getBalance',
  'eth_getBlockByNumber',
  'eth_getLogs',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
];

describe('the answers of a quorum', () => {
  it('are none if fewer than a quorum answers, however quickly', async () => {
    const ask = openQuorum(['quick', 'down', 'away'], 2);
    const asked = ask(async (provider) => {
      if (provider === 'quick') return provider;
      await nextTurn();
      throw new Error(`${provider} does not answer`);
    });
    expect(await faultOf(asked)).to.match(/^2 providers have to answer: .*down.*away/);
    expect(await ask(async (provider) => provider)).to.have.members(['quick', 'down', 'away']);
  });

  it('do not wait for one that hangs', async () => {
    const ask = openQuorum(['one', 'two', 'hangs'], 2);
    for (let question = 0; question < 2; question += 1) {
      const asked = ask((provider) => (provider === 'hangs' ? HANG() : Promise.resolve(provider)));
      expect(await asked).to.deep.equal(['one', 'two']);
    }
  });
});

describe('a withdrawal, of which two of three providers have to tell', () => {
  let rounds: Rounds;
  before(async () => {
    rounds = await openRounds({ quorum: 2 });
  });
  afterEach(() => rounds.honest());
  after(() => rounds.close());

  const down = (rpc: FaultyRpc, how: Parameters<FaultyRpc['on']>[1] = () => 'break') =>
    METHODS.forEach((method) => rpc.on(method, how));

  it('is paid while one of them is down, and the chain is compared', async () => {
    down(rounds.one);
    const made = await rounds.signed();
    await rounds.round();
    await rounds.expectPaidOnce(made);
    expect(await rounds.compare()).to.deep.include({ body: { payments: 1 } });
  });

  it('is paid while one of them takes questions and says nothing', async () => {
    down(rounds.other, HANG);
    const payouts = openPayouts(rounds.platform.config.withdrawals);
    const made = await rounds.due();
    for (let round = 0; round < 3; round += 1) await rounds.round(payouts);
    rounds.honest();
    await rounds.expectPaidOnce(made);
  });

  it('is neither paid nor given back because one of them lies', async () => {
    const made = await rounds.signed();
    const before = await rounds.platform.balance(rounds.agent);
    const block = (await rounds.chain.evm.send('eth_getBlockByNumber', ['0x1', false])) as {
      hash: string;
    };
    rounds.both('eth_sendRawTransaction', async () => `0x${'0'.repeat(64)}`);
    for (const status of ['0x1', '0x0']) {
      const receipt = { status, blockNumber: '0x1', blockHash: block.hash, logs: [] };
      rounds.one.on('eth_getTransactionReceipt', async () => receipt);
      await rounds.round();
      expect((await rowOf(rounds.platform, made.id)).status).to.equal('processing');
    }
    expect(await rounds.platform.balance(rounds.agent)).to.equal(before);
    rounds.honest();
    await rounds.expectPaidOnce(made);
  });

  it('is not final because one says so', async () => {
    const made = await rounds.signed();
    await rounds.round();
    rounds.one.on('eth_getBlockByNumber', async ([block, isWhole], forward) =>
      block === 'finalized'
        ? rounds.chain.evm.send('eth_getBlockByNumber', ['latest', isWhole])
        : forward(),
    );
    await rounds.round();
    await rounds.round();
    expect((await rowOf(rounds.platform, made.id)).status).to.equal('processing');
    rounds.honest();
    await rounds.expectPaidOnce(made);
  });

  it('waits while two of them are down, and says so to its owner and to operators', async () => {
    const { platform, agent } = rounds;
    const made = await rounds.signed();
    const waits = async () => {
      const { body } = await platform.request('GET /api/v1/wallet/withdrawals', { key: agent.key });
      return body.withdrawals
        .map((one: { withdrawal_id: number; waits_for: string | null }) =>
          one.withdrawal_id === made.id || one.waits_for !== null ? one.waits_for : [],
        )
        .flat();
    };
    const fault = async () => {
      const { body } = await platform.request('GET /api/v1/admin/rails', { key: OPERATOR_TOKEN });
      return body.wallets[0].fault;
    };
    await rounds.compare();
    expect([await waits(), await fault()]).to.deep.equal([[null], null]);
    for (const rpc of [rounds.one, rounds.other]) down(rpc);
    await rounds.compare();
    expect((await waits())[0]).to.match(/^Too few providers of the network answer/);
    expect(await waits()).to.have.lengthOf(1);
    expect(await fault()).to.match(/^2 providers have to answer: 127/);
    rounds.honest();
    await rounds.compare();
    expect([await waits(), await fault()]).to.deep.equal([[null], null]);
    await rounds.expectPaidOnce(made);
  });
});
