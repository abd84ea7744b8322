import { Transaction } from '@solana/web3.js';
import { expect } from 'chai';

import { FINAL_AFTER } from '../../../sandbox/solana/slots.ts';
import { audit } from '../../../shared/composition/audit.ts';
import { memo } from '../../../sandbox/solana/instructions.ts';
import { OPERATOR_TOKEN } from '../../access/scene.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { openBasePlatform } from '../evm/platform.ts';
import { balanceOf, memoOf, openPaidSolana } from '../solana/platform.ts';
import { openFaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { SOL, sol } from '../solana/rig.ts';

/** An hour later. */
const DUE = 'update chain_cursor set again_at = now(), again_goal = position';

const positionOf = async (platform: TestPlatform): Promise<number> =>
  (await platform.query('select position::int from chain_cursor where position is not null'))[0]
    ?.position;

const searchTo = (platform: TestPlatform, end: () => Promise<number>) =>
  eventually(async () => {
    await runTimer(platform, 'watch_chains');
    return (await positionOf(platform)) === (await end());
  }, Boolean);

/** Looks again at all that was searched, until it is so. */
async function lookAgain(platform: TestPlatform, isSo: () => Promise<boolean>): Promise<void> {
  await platform.query(DUE);
  await eventually(async () => {
    await runTimer(platform, 'watch_chains');
    return isSo();
  }, Boolean);
}

const isDone = (platform: TestPlatform) => async () => {
  const sql = 'select looked_again = again_goal as done from chain_cursor';
  return (await platform.query(sql))[0].done === true;
};

const shown = async (platform: TestPlatform, rail: string) => {
  const { body } = await platform.request('GET /api/v1/admin/rails', { key: OPERATOR_TOKEN });
  const one = body.rails.find((found: { rail: string }) => found.rail === rail);
  return [one.found_again, one.looked_again_to];
};

describe('a second look at blocks that were searched', () => {
  it('credits once what all providers left out of the logs', async () => {
    const base = await openBasePlatform();
    const { platform, providers } = base;
    const finalBlock = async () => {
      const block = await base.evm.send('eth_getBlockByNumber', ['finalized', false]);
      return Number((block as { number: string }).number);
    };
    await searchTo(platform, finalBlock);
    await lookAgain(platform, isDone(platform));
    const agent = await platform.agent();
    const { body } = await platform.request('GET /api/v1/wallet', { key: agent.key });
    const { reference } = body.deposit_methods.find(
      ({ rail }: { rail: string }) => rail === 'base',
    );
    const before = await platform.balance(agent);
    for (const provider of providers) provider.on('eth_getLogs', async () => []);
    await base.byRouter(reference, { usdc: 2_000_000n });
    await base.evm.mine(60);
    await searchTo(platform, finalBlock);
    expect(await platform.balance(agent)).to.equal(before);

    for (const provider of providers) provider.honest();
    await lookAgain(platform, async () => (await platform.balance(agent)) > before);
    expect(await platform.balance(agent)).to.equal(before + 2);
    await eventually(isDone(platform), Boolean);
    expect(await shown(platform, 'base')).to.deep.equal([1, await positionOf(platform)]);

    await platform.query('update chain_cursor set looked_again = 0');
    await lookAgain(platform, isDone(platform));
    expect(await platform.balance(agent)).to.equal(before + 2);
    expect((await shown(platform, 'base'))[0]).to.equal(1);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await base.close();
  });

  it('credits what a list of signatures on Solana had not', async () => {
    const solana = await openPaidSolana();
    const other = await openFaultyRpc(solana.rig.node.url);
    const env = { ...solana.env, SOLANA_RPC_URLS: other.url };
    const platform = await TestPlatform.open({ env });
    const paying = { ...solana, platform, other };
    const { rig, treasury } = solana;
    const { slots } = rig.node.chain;
    rig.node.advance(FINAL_AFTER);
    const end = async () => slots.at('finalized');
    await searchTo(platform, end);
    await lookAgain(platform, isDone(platform));
    const agent = await platform.agent();
    const paid = new Transaction({ feePayer: rig.payer.publicKey, ...slots.latest() });
    paid.add(sol(rig.payer, treasury, SOL / 1_000n), memo(await memoOf(paying, agent)));
    paid.sign(rig.payer);
    other.on('getSignaturesForAddress', async () => []);
    rig.node.chain.send(paid.serialize(), { skipPreflight: true });
    rig.node.advance(FINAL_AFTER);
    await searchTo(platform, end);
    expect(await balanceOf(paying, agent)).to.equal(0);
    other.honest();
    await lookAgain(platform, async () => (await balanceOf(paying, agent)) > 0);
    expect(await balanceOf(paying, agent)).to.equal(0.15);
    expect((await shown(platform, 'solana'))[0]).to.equal(1);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    other.close();
    await solana.close();
  });
});
