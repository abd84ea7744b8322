import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { childOf } from './child.ts';
import { setPolicy } from '../policy.ts';

const ROUTE = 'GET /api/v1/agent/me';

describe('agent_me', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(() => platform.close());

  it('shows a new agent who it is, what its key allows and that nothing limits it', async () => {
    const { id, key, username } = await platform.agent();
    const { status, body } = await platform.request(ROUTE, { key });

    expect(status).to.equal(200);
    expect(body).to.deep.include({
      agent_id: id,
      username,
      owner_id: null,
      root_id: id,
      status: 'active',
      tier: 'free',
      scopes: ['read', 'buy', 'sell'],
      policy: { max_spend_per_tx: null, daily_spend_limit: null, allowed_product_types: null },
      spent_today: 0,
    });
    expect(new Date(body.created_at).toISOString()).to.equal(body.created_at);
  });

  it('shows which of its keys calls, by any key', async () => {
    const agent = await platform.agent();
    const { body: made } = await platform.request('POST /api/v1/agent/keys', {
      key: agent.key,
      body: { name: 'reader', scopes: ['read'] },
    });
    const { body } = await platform.request(ROUTE, { key: made.api_key.key });

    expect(body.scopes).to.eql(['read']);
    expect(body.key).to.eql({
      key_id: made.key_id,
      name: 'reader',
      prefix: made.prefix,
      expires_at: null,
    });
    expect(made.api_key.key.startsWith(made.prefix)).to.equal(true);
  });

  it('shows the limits on spending and what was spent this UTC day, not the day before', async () => {
    const { id, key } = await platform.agent();
    await setPolicy(
      platform,
      { id },
      {
        max_spend_per_tx: 2_500_000,
        daily_spend_limit: 10_000_000,
        allowed_product_types: ['dataset', 'serial_key'],
      },
    );
    const spend = (day: string) =>
      platform.query(
        `update spend set amount = 1234567, day = (now() at time zone 'UTC')::date ${day}
          where agent_id = $1`,
        [id],
      );

    await spend('');
    const today = (await platform.request(ROUTE, { key })).body;
    expect(today.policy).to.eql({
      max_spend_per_tx: 2.5,
      daily_spend_limit: 10,
      allowed_product_types: 'serial_key,dataset',
    });
    expect(today.spent_today).to.equal(1.234567);

    await spend('- 1');
    expect((await platform.request(ROUTE, { key })).body.spent_today).to.equal(0);
  });

  it('shows a child who owns it', async () => {
    const owner = await platform.agent();
    const child = await childOf(platform, owner);
    const { body } = await platform.request(ROUTE, { key: child.key });
    expect(body).to.include({ agent_id: child.id, owner_id: owner.id, root_id: owner.id });
  });

  it('shows nothing to a caller without a key', async () => {
    const { status, body } = await platform.request(ROUTE);
    expect(status).to.equal(401);
    expect(body.error).to.equal('authentication_required');
  });
});
