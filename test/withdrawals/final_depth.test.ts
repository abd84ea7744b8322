import { expect } from 'chai';

import { openJsonRpc } from '../../workers/gateways/rpc/json_rpc.ts';
import { finalBlockBy } from '../../workers/gateways/evm/final_block.ts';
import { openPayouts } from '../../workers/gateways/evm/payouts.ts';
import { rowOf } from './chain.ts';
import { faultOf, openRounds, type Rounds } from './rounds.ts';

/** Blocks of Base in 13 hours. */
const DEPTH = 23_400;

describe('a withdrawal, of which no provider knows the tag of final blocks', () => {
  let rounds: Rounds;
  before(async () => {
    rounds = await openRounds();
  });
  afterEach(() => rounds.honest());
  after(() => rounds.close());

  /** No tag is known; so many blocks seem to have been made since. */
  const later = (blocks: number) =>
    rounds.both('eth_getBlockByNumber', async ([block], forward) => {
      if (block === 'finalized') return new Error('invalid block tag');
      const found = (await forward()) as { number: string };
      if (block !== 'latest') return found;
      return { ...found, number: `0x${(Number(found.number) + blocks).toString(16)}` };
    });
  const latest = async () =>
    Number(
      (
        (await rounds.chain.evm.send('eth_getBlockByNumber', ['latest', false])) as {
          number: string;
        }
      ).number,
    );

  it('is final by the depth of its block, and not before', async () => {
    const payouts = openPayouts(rounds.platform.config.withdrawals);
    const made = await rounds.signed();
    const status = async () => (await rowOf(rounds.platform, made.id)).status;
    later(0);
    for (let round = 0; round < 2; round += 1) await rounds.round(payouts);
    const mined = await latest();
    later(DEPTH - 1);
    await rounds.round(payouts);
    expect([await status(), await latest()]).to.deep.equal(['processing', mined]);
    later(DEPTH);
    await rounds.round(payouts);
    expect(await status()).to.equal('paid');
    rounds.honest();
    await rounds.expectPaidOnce(made);
  });

  it('learns it from a refusal of the tag alone, and asks for it no more', async () => {
    const rpc = openJsonRpc(rounds.one.url);
    const asked: unknown[] = [];
    rounds.both('eth_getBlockByNumber', async ([block], forward) => {
      asked.push(block);
      return block === 'finalized' ? new Error('invalid block tag') : forward();
    });
    expect(await finalBlockBy(rpc)).to.equal(Math.max(0, (await latest()) - DEPTH));
    await finalBlockBy(rpc);
    expect(asked).to.deep.equal(['finalized', 'latest', 'latest']);
    expect(rpc.profile.methods.unknown).to.deep.equal(['the block tag finalized']);

    // Faults of nodes that have no final block for now: geth, Besu and Erigon.
    for (const words of ['finalized block not found', 'Unknown block']) {
      const early = openJsonRpc(rounds.one.url);
      rounds.both('eth_getBlockByNumber', async ([block], forward) =>
        block === 'finalized' ? new Error(words) : forward(),
      );
      expect(await finalBlockBy(early)).to.equal(0);
      rounds.honest();
      expect(await finalBlockBy(early)).to.be.above(0);
      expect(early.profile.methods.unknown).to.deep.equal([]);
    }

    const busy = openJsonRpc(rounds.one.url);
    rounds.both('eth_getBlockByNumber', async () => new Error('internal error'));
    expect(await faultOf(finalBlockBy(busy))).to.match(/internal error/);
    rounds.both('eth_getBlockByNumber', async () => null);
    expect(await faultOf(finalBlockBy(busy))).to.match(/no final block yet/);
    expect(busy.profile.methods.unknown).to.deep.equal([]);
  });
});
