// test:all: workers are killed at each step of a payment or a charge.
import { expect } from 'chai';

import { FINAL_AFTER } from '../../sandbox/evm/anvil.ts';
import { audit } from '../../shared/composition/audit.ts';
import { child, endChildren, openPlatform, type Child } from '../faults/children.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { runTimer, startTimer } from '../orders/trade.ts';
import { newAddress, openChain, rowOf, untilClosed, withdraw, type Chain } from './chain.ts';

const WORKER = 'test/faults/worker.ts';

describe('a worker that is killed while it pays a withdrawal', function () {
  this.timeout(120_000);

  let chain: Chain;
  let platform: TestPlatform;
  let env: Record<string, string>;
  let agent: { id: number; key: string };

  before(async () => {
    chain = await openChain();
    env = { ...chain.env, WITHDRAWAL_HOLD_HOURS: '1' };
    platform = await openPlatform({ workers: false, env });
    agent = await platform.agent({ usd: 10 });
  });
  after(async () => {
    await endChildren();
    await platform.close();
    await chain.evm.close();
  });

  /** Blocks, and one round of payments after the other, until the process is killed. */
  async function untilKilled({ process }: Child): Promise<void> {
    const isPending = `select from job where request_id = $1 and status = 'pending'`;
    let round = await startTimer(platform, 'pay_withdrawals');
    await eventually(
      async () => {
        await chain.evm.mine(FINAL_AFTER);
        const pending = await platform.query(isPending, [round]);
        if (pending.length === 0) round = await startTimer(platform, 'pay_withdrawals');
      },
      () => process.signalCode === 'SIGKILL',
    );
  }

  it('pays once, whatever it was about to do', async () => {
    const address = newAddress();
    await platform.resumeWorkers();
    const { body } = await withdraw(platform, agent, { amount: 1, address });
    await platform.pauseWorkers();
    const id = body.withdrawal_id as number;
    await platform.query('update withdrawal set not_before = now() where id = $1', [id]);
    for (const [point, arrived] of [
      ['P0', 0n],
      ['P1', 0n],
      ['P2', 1_000_000n],
      ['P3', 1_000_000n],
    ] as const) {
      const crash = { CRASH_AT: point, CRASH_AT_JOB: String(id), WITHOUT_DISPATCHER: 'yes' };
      await untilKilled(await child(platform, WORKER, { ...env, ...crash }));
      expect(await chain.evm.balanceOf(address), point).to.equal(arrived);
      expect((await rowOf(platform, id)).status, point).to.equal('processing');
    }

    await platform.resumeWorkers();
    expect((await untilClosed(platform, chain, id)).status).to.equal('paid');
    expect(await chain.evm.balanceOf(address)).to.equal(1_000_000n);
    const asked = [chain.wallet.address, 'latest'];
    expect(Number(await chain.evm.send('eth_getTransactionCount', asked))).to.equal(1);
    await runTimer(platform, 'compare_payouts');
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });
});
