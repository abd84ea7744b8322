// test:all: a thousand payments are searched page by page.
import { Transaction } from '@solana/web3.js';
import { expect } from 'chai';

import { FINAL_AFTER } from '../../../sandbox/solana/slots.ts';
import { audit } from '../../../shared/composition/audit.ts';
import { memo } from '../../../sandbox/solana/instructions.ts';
import { eventually } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { balanceOf, memoOf, openSolanaPlatform, type SolanaPlatform } from './platform.ts';
import { SOL, sol } from './rig.ts';

/** A provider lists so many signatures at a time. */
const PAGE = 1_000;
/** Slots that are searched at a time. */
const STRETCH = 10_000;
const PAYMENTS = PAGE + 40;

describe('the search for payments on Solana, when nobody has searched for long', function () {
  this.timeout(120_000);

  let solana: SolanaPlatform;
  before(async () => {
    solana = await openSolanaPlatform();
    solana.rig.node.advance(FINAL_AFTER);
    await search(async () => (await cursor()) !== undefined);
  });
  after(() => solana.close());

  const cursor = async (): Promise<number | undefined> =>
    (
      await solana.platform.query(
        'select position::int from chain_cursor where position is not null',
      )
    )[0]?.position;
  const search = (isSo: () => Promise<boolean>) =>
    eventually(async () => {
      await runTimer(solana.platform, 'watch_chains');
      return isSo();
    }, Boolean);
  const searchToEnd = () => {
    const end = solana.rig.node.chain.slots.at('finalized');
    return search(async () => (await cursor()) === end);
  };

  it('misses and doubles none of more than a page of payments, over more than a stretch', async () => {
    const { platform, rig, treasury } = solana;
    const { chain } = rig.node;
    const agents = [await platform.agent(), await platform.agent()] as const;
    const notes = [await memoOf(solana, agents[0]), await memoOf(solana, agents[1])];
    await platform.query(`update chain_cursor set busy_until = now() + interval '1 hour'`);
    const begun = (await cursor())!;
    for (let n = 0; n < PAYMENTS; n += 1) {
      // The slot's block hash differs in each, so no two are one transaction.
      const latest = chain.slots.latest();
      const paid = new Transaction({ feePayer: rig.payer.publicKey, ...latest });
      paid.add(sol(rig.payer, treasury, SOL / 1_000n), memo(notes[n % 2]!)).sign(rig.payer);
      chain.send(paid.serialize(), { skipPreflight: true });
      if (n === PAYMENTS / 2) rig.node.advance(STRETCH);
    }
    rig.node.advance(FINAL_AFTER);
    await platform.query('update chain_cursor set busy_until = null');
    await searchToEnd();
    expect((await cursor())! - begun).to.be.greaterThan(STRETCH + PAGE);
    const each = (PAYMENTS / 2) * 0.15;
    const balances = await Promise.all(agents.map((agent) => balanceOf(solana, agent)));
    expect(balances).to.deep.equal([each, each]);
    const counted = await platform.query('select count(*)::int as deposits from deposit');
    expect(counted).to.deep.equal([{ deposits: PAYMENTS }]);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });
});
