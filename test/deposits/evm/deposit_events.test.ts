import { expect } from 'chai';

import { openBasePlatform, type BasePlatform } from './platform.ts';

type Agent = Awaited<ReturnType<BasePlatform['platform']['agent']>>;

describe('events of a deposit by chain', () => {
  let base: BasePlatform;
  before(async () => {
    base = await openBasePlatform();
  });
  after(() => base.close());

  const request = (route: string, { key }: Agent, body?: object) =>
    base.platform.request(route, { key, ...(body && { body }) });
  const verify = async (agent: Agent, tx_hash: string) =>
    (await request('POST /api/v1/evm/verify?wait=20', agent, { tx_hash })).body;
  const referenceOf = async (agent: Agent): Promise<string> =>
    (await request('GET /api/v1/evm/info', agent)).body.reference;
  const eventsOf = async (agent: Agent) =>
    (await request('GET /api/v1/events?type=deposit.*', agent)).body.events.map(
      ({ type, object, data }: { type: string; object: object; data: object }) => ({
        type,
        object,
        data,
      }),
    );

  it('say once that it was detected, and that it was credited', async () => {
    const agent = await base.platform.agent();
    const tx_id = await base.byRouter(await referenceOf(agent), { usdc: 2_000_000n });
    const { deposit_id } = await verify(agent, tx_id);
    expect((await verify(agent, tx_id)).status).to.equal('detected');
    const common = { deposit_id, agent_id: agent.id };
    const object = { kind: 'deposit' as const, id: deposit_id, status: 'detected' };
    const detected = { type: 'deposit.detected', object, data: { ...common, tx_id } };
    expect(await eventsOf(agent)).to.deep.equal([detected]);

    await base.finalize();
    await verify(agent, tx_id);
    expect((await verify(agent, tx_id)).status).to.equal('credited');
    expect(await eventsOf(agent)).to.deep.equal([
      detected,
      {
        type: 'deposit.credited',
        object: { ...object, status: 'credited' },
        data: { ...common, amount: 2 },
      },
    ]);
  });

  it('say once why it is held, and the wallet has no more', async () => {
    const agent = await base.platform.agent();
    const tx_id = await base.byRouter(await referenceOf(agent), { usdc: 99_999n });
    const { deposit_id } = await verify(agent, tx_id);
    await base.finalize();
    for (let claim = 0; claim < 2; claim += 1) {
      expect((await verify(agent, tx_id)).error).to.equal('deposit_invalid');
    }
    const [detected, held, ...more] = await eventsOf(agent);
    expect([detected.type, more]).to.deep.equal(['deposit.detected', []]);
    expect(held.type).to.equal('deposit.held');
    expect(held.object).to.deep.equal({ kind: 'deposit', id: deposit_id, status: 'held' });
    expect(held.data).to.include({ deposit_id, agent_id: agent.id, tx_id });
    expect(held.data.reason).to.contain('worth less than $0.1');
    expect((await request('GET /api/v1/wallet', agent)).body.cash).to.equal(0);
  });
});
