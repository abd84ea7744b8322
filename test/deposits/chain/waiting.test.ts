import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { runTimer } from '../../orders/trade.ts';
import { openBasePlatform, type BasePlatform } from '../evm/platform.ts';

describe('a deposit that waits for its block', () => {
  let base: BasePlatform;
  let agent: { readonly id: number; readonly key: string };
  before(async () => {
    base = await openBasePlatform();
  });
  beforeEach(async () => {
    agent = await base.platform.agent();
  });
  after(async () => {
    expect(await audit(base.platform.context.database)).to.deep.equal([]);
    await base.close();
  });

  const request = (route: string, body?: object) =>
    base.platform.request(route, { key: agent.key, ...(body && { body }) });
  const change = (sql: string) =>
    base.platform.query(`update deposit set ${sql} where agent_id = $1`, [agent.id]);
  /** The deposits after the next look at what waits: status and reason of each. */
  async function looked() {
    await base.platform.query('update deposit set look_at = now() where look_at is not null');
    await runTimer(base.platform, 'watch_chains');
    const { body } = await request('GET /api/v1/wallet/deposits');
    return body.deposits.map(({ status }: { status: string }) => status);
  }
  async function detected(): Promise<void> {
    const { reference } = (await request('GET /api/v1/evm/info')).body;
    const tx_hash = await base.byRouter(reference, { usdc: 2_000_000n });
    const { body } = await request('POST /api/v1/evm/verify?wait=20', { tx_hash });
    expect(body.status).to.equal('detected');
  }

  it('is given up when nobody has known its transaction for a day, and no sooner', async () => {
    await detected();
    await base.evm.dropBlock();
    await base.finalize();
    expect(await looked()).to.deep.equal(['detected']);
    await change(`created_at = now() - interval '23 hours'`);
    expect(await looked()).to.deep.equal(['detected']);
    await change(`created_at = now() - interval '25 hours'`);
    expect(await looked()).to.deep.equal(['rejected']);
    const sql = `select type from event where agent_id = $1 and type like 'deposit.%' order by id`;
    const told = (await base.platform.query(sql, [agent.id])).map(
      ({ type }: { type: string }) => type,
    );
    expect(told).to.deep.equal(['deposit.detected', 'deposit.rejected']);
  });

  it('is looked for on its own network alone', async () => {
    await detected();
    await base.finalize();
    await change(`network = 'base'`);
    // The search of this network finds the payment, once.
    expect((await looked()).toSorted()).to.deep.equal(['credited', 'detected']);
    expect((await request('GET /api/v1/wallet')).body.cash).to.equal(2);
  });

  it('is given up where its transaction pays by another transfer in its final block', async () => {
    await detected();
    await change('tx_index = tx_index + 50');
    await base.finalize();
    expect(new Set(await looked())).to.deep.equal(new Set(['credited', 'rejected']));
    expect((await request('GET /api/v1/wallet')).body.cash).to.equal(2);
  });
});
