import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';

const ROUTE = 'GET /api/v1/agent/keys';

describe('list_keys', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(() => platform.close());

  it('lists the keys, newest first and revoked ones too, without showing any', async () => {
    const { key } = await platform.agent();
    const make = async (name: string) =>
      (await platform.request('POST /api/v1/agent/keys', { key, body: { name, scopes: ['read'] } }))
        .body;
    const made = [await make('old'), await make('new')];
    await platform.request(`DELETE /api/v1/agent/keys/${made[0].key_id}`, { key });

    const { status, body, text } = await platform.request(ROUTE, { key });
    expect(status).to.equal(200);
    expect(body).to.include({ count: 3, next_cursor: null, has_more: false });
    expect(body.keys.map(({ name }: { name: string }) => name).slice(0, 2)).to.eql(['new', 'old']);
    const [newest, old, first] = body.keys;
    expect(newest).to.have.all.keys(
      'key_id',
      'name',
      'prefix',
      'scopes',
      'created_at',
      'revoked_at',
      'expires_at',
      'last_used_at',
      'connection_id',
    );
    expect(newest).to.deep.include({ key_id: made[1].key_id, scopes: ['read'], revoked_at: null });
    expect(old.revoked_at).to.be.a('string');
    expect(key.slice(0, 12)).to.equal(first.prefix);
    for (const secret of [key, ...made.map(({ api_key }) => api_key.key)]) {
      expect(text).to.not.include(secret.slice(13));
    }
  });

  it('goes on where the page before ended', async () => {
    const agent = await platform.agent();
    await platform.keyOf(agent, ['read']);
    await platform.keyOf(agent, ['buy']);
    const page = (query: string) => platform.request(`${ROUTE}?${query}`, { key: agent.key });

    const { body: first } = await page('limit=2');
    expect(first).to.include({ count: 2, has_more: true });
    const { body: second } = await page(`limit=2&cursor=${first.next_cursor}`);
    expect(second).to.include({ count: 1, has_more: false, next_cursor: null });
    const ids = [...first.keys, ...second.keys].map(({ key_id }) => key_id as number);
    expect(ids).to.eql(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).to.equal(3);
  });

  it("shows nobody another agent's keys", async () => {
    await platform.agent();
    const { id, key } = await platform.agent();
    const { body } = await platform.request(ROUTE, { key });
    expect(body.count).to.equal(1);
    const rows = await platform.query('select agent_id::int from api_key where id = $1', [
      body.keys[0].key_id,
    ]);
    expect(rows).to.eql([{ agent_id: id }]);
  });

  it('refuses a cursor or a limit that is none', async () => {
    const { key } = await platform.agent();
    for (const query of ['cursor=nonsense', 'limit=0', 'limit=101']) {
      const { status, body } = await platform.request(`${ROUTE}?${query}`, { key });
      expect(status).to.equal(422);
      expect(body.error).to.equal('validation_error');
    }
  });

  it('refuses a key that does not allow everything', async () => {
    const key = await platform.keyOf(await platform.agent(), ['read', 'buy']);
    const { status, body } = await platform.request(ROUTE, { key });
    expect(status).to.equal(403);
    expect(body.error).to.equal('insufficient_scope');
    expect(body.details).to.eql({ required: ['read', 'buy', 'sell'], granted: ['read', 'buy'] });
  });
});
