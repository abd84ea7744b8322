// test:all: a chain catches up.
import { expect } from 'chai';

import { asOwner } from '../as_owner.ts';
import { eventually } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { openComparing, type Comparing } from './comparing.ts';

const HOLDS = 'the address that is paid by x402 holds what came to it less what left it';
const ON_CHAIN =
  'each settled payment by x402 is on the chain, in full, from its payer to our address';

describe('payments by x402, compared with the chain', () => {
  let scene: Comparing;
  before(async () => {
    scene = await openComparing();
  });
  beforeEach(() => scene.honest());
  after(() => scene.close());

  it('begin with the first payment, however late a node answers first, which is said', async () => {
    const first = await scene.payment();
    expect((await scene.call(first.headers)).status).to.equal(200);
    scene.rpc.on('eth_getBlockByNumber', () => 'break');
    expect(await scene.compare()).to.deep.equal([{ transfers: 0 }]);
    const silent = await scene.shown();
    expect([silent.searched_to, silent.caught_up_at]).to.deep.equal([null, null]);
    expect(silent.fault).to.contain('does not answer');
    scene.rpc.honest();
    expect(await scene.compare()).to.deep.equal([{ transfers: 1 }]);
    const [{ block, ...transfer }] = await scene.received(first.nonce);
    expect(transfer).to.deep.equal({
      sender: first.sender,
      amount: 2_000,
      pay_to: scene.payTo.toLowerCase(),
    });
    const rail = await scene.shown();
    expect(rail).to.include({ fault: null, unbound: 0, unbound_usd: 0, network: 'base' });
    expect(rail.searched_to).to.be.at.least(block);
    expect(rail.caught_up_at).to.be.a('string');
    expect(await scene.compare()).to.deep.equal([{ transfers: 0 }]);
    expect(await scene.untrue()).to.deep.equal([]);
  });

  it('go on where a run ended, was killed or got no answer, whatever range the node allows', async () => {
    const { evm } = scene;
    const sent = [];
    for (let n = 0; n < 3; n += 1) {
      const one = await scene.payment();
      expect((await scene.call(one.headers)).status).to.equal(200);
      await evm.mine(9);
      sent.push(one);
    }
    const from = (await scene.shown()).searched_to as number;
    expect(await scene.untrue()).to.deep.equal([]); // They are not compared yet.
    let questions = 0;
    const node = (broken: number) => {
      questions = 0;
      scene.rpc.on('eth_getLogs', async (params, forward) => {
        const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
        if (Number(toBlock) - Number(fromBlock) > 1) return new Error('at most 2 blocks');
        questions += 1;
        return questions === broken ? 'break' : forward();
      });
    };
    node(5);
    await scene.killed();
    expect((await scene.shown()).searched_to).to.equal(from);
    node(5);
    await scene.compare();
    const broken = await scene.shown();
    expect(broken.searched_to).to.be.within(from + 2, from + 8);
    expect(broken.fault).to.contain('does not answer');
    node(0);
    const final = await evm.send('eth_getBlockByNumber', ['finalized', false]);
    const ends: number[] = [];
    await eventually(
      async () => {
        await runTimer(scene.platform, 'compare_x402_payments');
        const { searched_to: to, fault } = await scene.shown();
        expect(fault).to.equal(null);
        ends.push(to as number);
        return to as number;
      },
      (to) => to === Number((final as { number: string }).number),
    );
    expect(ends.length).to.be.above(1);
    for (const { nonce } of sent) expect(await scene.received(nonce)).to.have.length(1);
    expect(await scene.untrue()).to.deep.equal([]);
  });

  it('credit one that a node had said was over, when it is on the chain', async () => {
    const { unbound } = await scene.shown();
    const { headers, settle, status } = await scene.unsettled();
    scene.rpc.on('eth_getBlockByNumber', async (_, forward) => ({
      ...((await forward()) as object),
      timestamp: '0xffffffff',
    }));
    await scene.looked(status, 'lapsed');
    expect((await scene.call(headers)).body.details.charged).to.equal(false);
    scene.rpc.honest();
    await settle();
    await scene.compare();
    expect(await status()).to.equal('settled');
    expect((await scene.shown()).unbound).to.equal(unbound);
    const reply = await scene.call(headers);
    expect([reply.status, reply.body.charged]).to.deep.equal([200, 0.002]);
    expect(await scene.untrue()).to.deep.equal([]);
  });

  it('credit one that is on the chain before its time is over', async () => {
    const { headers, settle, status } = await scene.unsettled();
    const other = await scene.unsettled();
    await settle();
    await scene.compare();
    expect([await status(), await other.status()]).to.deep.equal(['settled', 'open']);
    expect((await scene.call(headers)).status).to.equal(200);
    expect(await scene.untrue()).to.deep.equal([]);
  });

  it('are not over by a node that is behind a final block that has them', async () => {
    const { headers, settle, status, looks } = await scene.unsettled();
    await settle();
    scene.behind();
    const compared = scene.compare(); // It ends with the last look.
    await scene.looked(async () => ((await looks()) > 0 ? 'yes' : 'no'), 'yes');
    expect(await status()).to.equal('open');
    expect((await scene.call(headers)).body.details.charged).to.equal(null);
    scene.rpc.honest();
    await scene.looked(status, 'settled');
    await compared;
    expect((await scene.call(headers)).status).to.equal(200);
    expect(await scene.untrue()).to.deep.equal([]);
  });

  it('pay for nothing where they were used before they were sent, and are looked for no more', async () => {
    const { headers, settle, status } = await scene.payment();
    await settle();
    await scene.compare();
    scene.rpc.on('eth_getBlockByNumber', async ([block], forward) => {
      const found = (await forward()) as object;
      return String(block).startsWith('0x') ? { ...found, timestamp: '0x1' } : found;
    });
    expect((await scene.call(headers)).body.details.reason).to.equal('used_before');
    expect(await status()).to.equal('lapsed');
  });

  it('are in the balance of the address, of which its owner may take', async () => {
    await scene.compare();
    const paid = await scene.payment();
    expect((await scene.call(paid.headers)).status).to.equal(200);
    await scene.collect(500n);
    await scene.collect(0n);
    await scene.compare();
    const { held, sent } = await scene.balance();
    expect(held).to.equal(await scene.evm.balanceOf(scene.payTo));
    expect(sent).to.deep.equal(['500']);
    await scene.evm.mint(scene.payTo, 1n); // Its block is not final yet.
    await runTimer(scene.platform, 'compare_x402_payments');
    expect((await scene.balance()).held).to.equal(held);
    expect(await scene.untrue()).to.deep.equal([]);
  });

  it('are missed in the balance where a node leaves out what came, and found once it is read', async () => {
    await scene.compare();
    const { held_block: from } = await scene.balance();
    await scene.evm.mint(scene.payTo, 70_000n);
    scene.rpc.on('eth_getLogs', async () => []);
    await scene.compare();
    expect(await scene.untrue()).to.deep.equal([HOLDS]);
    scene.rpc.honest();
    const again = `update x402_cursor set compared_to = ${from}, held_block = ${from}`;
    await asOwner(scene.platform, again);
    await scene.compare();
    expect(await scene.untrue()).to.deep.equal([]);
  });

  it('say that a node does not know the balance, and compare it with the next that does', async () => {
    await scene.compare();
    const before = await scene.balance();
    scene.rpc.on('eth_call', async () => new Error('missing trie node'));
    await scene.evm.mint(scene.payTo, 10_000n);
    await scene.compare();
    const shown = await scene.shown();
    expect(shown.fault).to.contain('missing trie node');
    expect(await scene.balance()).to.deep.equal(before);
    scene.rpc.honest();
    await scene.compare();
    expect((await scene.shown()).fault).to.equal(null);
    expect((await scene.balance()).held).to.equal(before.held + 10_000n);
    expect(await scene.untrue()).to.deep.equal([]);
  });

  it('find one that the chain has taken back, until it is there again', async () => {
    const { evm } = scene;
    const { settle, status } = await scene.unsettled();
    const before = await evm.send('evm_snapshot');
    await settle();
    await scene.looked(status, 'settled');
    await evm.send('evm_revert', [before]);
    await evm.mine();
    await scene.compare();
    expect(await scene.untrue()).to.deep.equal([ON_CHAIN]);
    await settle();
    await scene.compare();
    expect([await status(), await scene.untrue()]).to.deep.equal(['settled', []]);
  });

  it('say nothing of blocks before they began', async () => {
    await asOwner(
      scene.platform,
      `delete from x402_transfer;
       update x402_cursor set began_after = compared_to, base_block = held_block, base_held = held`,
    );
    expect(await scene.untrue()).to.deep.equal([]);
  });
});

/** A payment by another rail, which stands for a transfer to the same address. */
