import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

describe('operator_suspend_agent and operator_resume_agent', () => {
  let platform: TestPlatform;
  let product: number;
  before(async () => {
    platform = await TestPlatform.open();
    const goods = { stock_kind: 'unlimited', content: 'It.', price: 0.01 };
    product = (await platform.product(await platform.agent(), goods)).id;
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const act = (what: 'suspend' | 'resume', { id }: { id: number }, note = 'Fraud.') =>
    platform.request(`POST /api/v1/admin/agents/${id}/${what}`, {
      key: OPERATOR_TOKEN,
      body: { note },
    });
  const ownerActs = (what: 'suspend' | 'resume', { key }: Agent, { id }: { id: number }) =>
    platform.request(`POST /agent/monitor/${id}/${what}`, { key });
  const buy = async ({ key }: Agent) => {
    const call = { key, body: { product_id: product } };
    return (await platform.request('POST /api/v1/orders', call)).body;
  };
  const find = async (query: string) => {
    const route = `GET /api/v1/admin/agents?${query}`;
    return (await platform.request(route, { key: OPERATOR_TOKEN })).body.agents;
  };
  const family = async () => {
    const root = await platform.agent();
    return { root, child: await childOf(platform, root) };
  };

  it('stop any agent and all below it, and say to it why', async () => {
    const { root, child } = await family();
    const { body } = await act('suspend', root, 'Chargebacks.');
    expect(body).to.deep.equal({ success: true, agent_id: root.id, status: 'suspended' });
    for (const agent of [root, child]) {
      const { error, details } = await buy(agent);
      expect(error).to.equal('agent_suspended');
      // Why, is for the agent itself and its owners.
      expect(details.suspension.note).to.equal(agent === root ? 'Chargebacks.' : null);
    }
    expect(await platform.balance(root)).to.equal(0.5);
    const { body: me } = await platform.request('GET /api/v1/agent/me', root);
    expect(me.suspension).to.include({ by: 'an operator', set_by: null, note: 'Chargebacks.' });
    await act('resume', root);
    expect((await platform.request('GET /api/v1/agent/me', root)).body.suspension).to.equal(null);
    expect((await buy(child)).status).to.equal('escrow');
  });

  it('are told of once, and are in the log of operators each time', async () => {
    const { root } = await family();
    await act('suspend', root);
    await act('suspend', root, 'Once more.');
    await act('resume', root);
    const { body } = await platform.request('GET /api/v1/events?type=agent.*', root);
    const told = body.events.map(({ type, data }: { type: string; data: object }) => [type, data]);
    expect(told).to.deep.equal([
      ['agent.suspended', { agent_id: root.id, by_operator: true }],
      ['agent.resumed', { agent_id: root.id, by_operator: true }],
    ]);
    const route = `GET /api/v1/admin/audit-log?object_kind=agent&object_id=${root.id}`;
    const log = await platform.request(route, { key: OPERATOR_TOKEN });
    expect(
      log.body.entries.map(({ input }: { input: { note: string } }) => input.note),
    ).to.deep.equal(['Fraud.', 'Once more.', 'Fraud.']);
  });

  it('lets no owner resume it, nor take it over, and operators resume what owners stopped', async () => {
    const { root, child } = await family();
    await act('suspend', child);
    expect((await ownerActs('resume', root, child)).body.error).to.equal('forbidden');
    expect((await ownerActs('suspend', root, child)).status).to.equal(200); // changes nothing
    expect((await ownerActs('resume', root, child)).body.error).to.equal('forbidden');
    const refused = await buy(child);
    expect(refused.error).to.equal('agent_suspended');
    expect(refused.message).to.include('Only an operator may resume it');
    expect(refused.details.suspension).to.include({ by: 'an operator', set_by: null });
    await act('resume', child);
    await ownerActs('suspend', root, child);
    await act('suspend', child); // takes it over
    expect((await ownerActs('resume', root, child)).body.error).to.equal('forbidden');
    await act('resume', child);
    await ownerActs('suspend', root, child);
    await act('resume', child);
    expect((await buy(child)).status).to.equal('escrow');
    expect((await ownerActs('suspend', root, child)).status).to.equal(200);
    expect((await ownerActs('resume', root, child)).status).to.equal(200);
  });

  it('refuse an agent that does not exist, and a suspension without reasons', async () => {
    expect((await act('suspend', { id: 999_999 })).body.error).to.equal('not_found');
    expect((await act('suspend', { id: 1 }, ' ')).body.error).to.equal('validation_error');
  });

  it('are found, with what their trees hold, by find_agents', async () => {
    const root = await platform.agent({ usd: 3 });
    const child = await childOf(platform, root);
    await buy(child);
    await act('suspend', child, 'Its key leaked.');
    const email = `${root.username}@example.com`;
    for (const query of [
      `agent_id=${root.id}`,
      `username=${root.username.toUpperCase()}`,
      `email=${email.toUpperCase()}`,
    ]) {
      const [found, ...others] = await find(query);
      expect(others).to.deep.equal([]);
      const money = { cash: 3, credit: 0.489, in_escrow: 0.011, spent_today: 0.011 };
      expect(found, query).to.include({ agent_id: root.id, email, keys: 1, ...money });
    }
    const tree = await find(`root_id=${root.id}`);
    expect(tree.map(({ agent_id }: { agent_id: number }) => agent_id)).to.deep.equal([
      child.id,
      root.id,
    ]);
    const [stopped, ...active] = await find(`root_id=${root.id}&status=suspended`);
    expect(active).to.deep.equal([]);
    expect(stopped).to.deep.include({ agent_id: child.id, email: null, cash: 3 });
    expect(stopped.suspension).to.include({ by: 'an operator', note: 'Its key leaked.' });
    expect(await find('username=nobody-of-this-name')).to.deep.equal([]);
  });
});
