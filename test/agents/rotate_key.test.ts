import { expect } from 'chai';
import { randomUUID } from 'node:crypto';

import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';

describe('rotate_key', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const rotate = (key: string, id: number | string, headers = {}) =>
    platform.request(`POST /api/v1/agent/keys/${id}/rotate`, { key, headers });
  const create = async (key: string, scopes: string[]) =>
    (await platform.request('POST /api/v1/agent/keys', { key, body: { name: 'a key', scopes } }))
      .body;
  const me = (key: string) => platform.request('GET /api/v1/agent/me', { key });
  const list = async (key: string) =>
    (await platform.request('GET /api/v1/agent/keys', { key })).body.keys as {
      key_id: number;
      revoked_at: string | null;
    }[];

  it('puts a new key with the same name and scopes in the place of the old', async () => {
    const { key } = await platform.agent();
    const old = await create(key, ['read', 'sell']);
    const { status, body } = await rotate(key, old.key_id);

    expect(status).to.equal(200);
    expect(body).to.deep.include({ name: 'a key', scopes: ['read', 'sell'], revoked_at: null });
    expect(body.key_id).to.not.equal(old.key_id);
    expect((await me(body.api_key.key)).body.scopes).to.eql(['read', 'sell']);
    const { body: refusal } = await eventually(
      () => me(old.api_key.key),
      (answer) => answer.status === 401,
    );
    expect(refusal.error).to.equal('invalid_key');
  });

  it('replaces the very key that calls, even the last one that allows everything', async () => {
    const { key } = await platform.agent();
    const [first] = await list(key);
    const { status, body } = await rotate(key, first!.key_id);
    expect(status).to.equal(200);
    expect((await me(body.api_key.key)).body.scopes).to.eql(['read', 'buy', 'sell']);
    expect((await rotate(key, body.key_id)).status).to.equal(401);
  });

  it('rotates once for all repeats with one Idempotency-Key, and shows the key once', async () => {
    const { key } = await platform.agent();
    const old = await create(key, ['read']);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await rotate(key, old.key_id, headers);
    const again = await rotate(key, old.key_id, headers);

    expect(again.status).to.equal(200);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(again.body.key_id).to.equal(first.body.key_id);
    expect(again.body.api_key.key).to.equal(null);
    expect((await list(key)).filter(({ revoked_at }) => revoked_at === null)).to.have.length(2);
  });

  it('makes one successor when ten rotate a key at once', async () => {
    const { key } = await platform.agent();
    const old = await create(key, ['read']);
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(key, old.key_id)));

    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    for (const { status, body } of answers) {
      if (status === 200) continue;
      expect(status).to.equal(409);
      expect(body.error).to.equal('invalid_transition');
    }
    expect((await list(key)).filter(({ revoked_at }) => revoked_at === null)).to.have.length(2);
  });

  it('refuses a key that was revoked before', async () => {
    const { key } = await platform.agent();
    const old = await create(key, ['read']);
    await platform.request(`DELETE /api/v1/agent/keys/${old.key_id}`, { key });
    const { status, body } = await rotate(key, old.key_id);
    expect(status).to.equal(409);
    expect(body.error).to.equal('invalid_transition');
  });

  it("refuses another agent's key and one that there is not, in the same words", async () => {
    const { key } = await platform.agent();
    const otherAgent = await platform.agent();
    const [othersKey] = await list(otherAgent.key);
    const refusals = [await rotate(key, othersKey!.key_id), await rotate(key, 2_000_000_000)];

    expect(refusals.map(({ status }) => status)).to.eql([404, 404]);
    expect(refusals.map(({ body }) => body.error)).to.eql(['not_found', 'not_found']);
    expect(refusals[0]!.body.message).to.equal(refusals[1]!.body.message);
    expect((await me(otherAgent.key)).status).to.equal(200);
  });

  it('refuses an id that is none, and a key that does not allow everything', async () => {
    const agent = await platform.agent();
    const { status, body } = await rotate(agent.key, 'first');
    expect(status).to.equal(422);
    expect(body.error).to.equal('validation_error');

    const [first] = await list(agent.key);
    const weak = await rotate(await platform.keyOf(agent, ['read']), first!.key_id);
    expect(weak.status).to.equal(403);
    expect(weak.body.error).to.equal('insufficient_scope');
  });
});
