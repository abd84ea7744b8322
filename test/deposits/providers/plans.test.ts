// test:all: chains catch up within the limits of a plan.
import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { openEvmDeposits } from '../../../workers/gateways/evm/deposits.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { faultOf } from '../../withdrawals/rounds.ts';
import { openPaidBase, type PaidBase } from '../evm/platform.ts';
import { openLimitedRpc, PLANS, type LimitedRpc } from './limited_rpc.ts';

const REFERENCE = `0x${'0'.repeat(31)}7${'5a'.repeat(16)}`;
/** More than one stretch, and more logs than most plans tell in one answer. */
const BLOCKS = 70;

describe('a provider with the limits of a public plan', () => {
  let base: PaidBase;
  const opened: LimitedRpc[] = [];
  const limited = async (plan: string) => {
    const rpc = await openLimitedRpc(base.evm.url, PLANS[plan]!);
    opened.push(rpc);
    return rpc;
  };

  before(async () => {
    base = await openPaidBase();
  });
  after(async () => {
    for (const rpc of opened) rpc.close();
    await base.close();
  });

  for (const plan of Object.keys(PLANS)) {
    it(`is searched and read within them: ${plan}`, async () => {
      const rpc = await limited(plan);
      const chain = openEvmDeposits(base.network([rpc.url]));
      const recipients = new Set([base.recipient]);
      const { number: before } = await chain.finalPosition();
      const paid = [await base.coin(base.recipient, 5n), await base.usdc(base.recipient, 6n)];
      await base.evm.mine(BLOCKS);
      paid.push(await base.byRouter(REFERENCE, { usdc: 7n }));
      await base.finalize();

      const { number: end } = await chain.finalPosition();
      const found: string[] = [];
      for (let to = before; to < end;) {
        const last = Math.min(to + chain.stretchMax, end);
        found.push(...(await chain.scan(to + 1, last, recipients)).map(({ txId }) => txId));
        to = last;
      }
      expect(found).to.deep.equal(paid);
      expect((await chain.read(paid[1]!)).status).to.equal('final');

      // It has learned what is taken, and asks for no more than that again.
      const refused = rpc.refused();
      await chain.scan(end - 4, end, recipients);
      await chain.scan(end - 49, end - 45, recipients);
      if (PLANS[plan]!.perSecond === undefined) expect(rpc.refused()).to.equal(refused);
    });
  }

  it('says that it no longer has blocks so old', async () => {
    const chain = openEvmDeposits(base.network([(await limited('no old blocks')).url]));
    await base.evm.mine(200);
    const fault = await faultOf(chain.scan(1, 5, new Set([base.recipient])));
    expect(fault).to.contain('it has no block or state so old any more');
  });

  it('credits a payment where each of five providers has other limits', async () => {
    const rpcs = await Promise.all(Object.keys(PLANS).map(limited));
    const platform = await TestPlatform.open({
      env: { ...base.env, BASE_RPC_URLS: rpcs.map(({ url }) => url).join(' ') },
    });
    const cursor = 'select position from chain_cursor where position is not null';
    const search = (isSo: () => Promise<boolean>) =>
      eventually(async () => {
        await runTimer(platform, 'watch_chains');
        return isSo();
      }, Boolean);
    await search(async () => (await platform.query(cursor)).length > 0);
    const agent = await platform.agent();
    const { body } = await platform.request('GET /api/v1/wallet', { key: agent.key });
    const { reference } = body.deposit_methods.find(
      ({ rail }: { rail: string }) => rail === 'base',
    );
    await base.byRouter(reference, { wei: 10n ** 15n });
    await base.evm.mine(BLOCKS);
    await base.byRouter(reference, { usdc: 2_000_000n });
    await base.finalize();
    await search(async () => (await platform.balance(agent)) >= 5);
    expect(await platform.balance(agent)).to.equal(5 + 0.5);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });
});
