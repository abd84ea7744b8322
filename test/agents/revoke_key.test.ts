import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { inQueue } from '../in_queue.ts';

const ALL = ['read', 'buy', 'sell'];

describe('revoke_key', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const revoke = (key: string, id: number | string) =>
    platform.request(`DELETE /api/v1/agent/keys/${id}`, { key });
  const create = async (key: string, scopes: string[]) =>
    (await platform.request('POST /api/v1/agent/keys', { key, body: { scopes } })).body;
  const me = (key: string) => platform.request('GET /api/v1/agent/me', { key });
  const idOf = async (key: string) => (await me(key)).body.key.key_id as number;

  it('ends a key, and only that one', async () => {
    const { key } = await platform.agent();
    const other = await create(key, ['read']);
    expect((await me(other.api_key.key)).status).to.equal(200);

    const { status, body } = await revoke(key, other.key_id);
    expect(status).to.equal(200);
    expect(body).to.include({ key_id: other.key_id, prefix: other.prefix });
    expect(body.revoked_at).to.be.a('string');
    const refusal = await eventually(
      () => me(other.api_key.key),
      (answer) => answer.status === 401,
    );
    expect(refusal.body.error).to.equal('invalid_key');
    expect((await me(key)).status).to.equal(200);
  });

  it('answers a repeat as it answered the first time', async () => {
    const { key } = await platform.agent();
    const { key_id: id } = await create(key, ['read']);
    const first = await revoke(key, id);
    const again = await revoke(key, id);
    expect(again.status).to.equal(200);
    expect(again.body).to.eql(first.body);
  });

  it('keeps the last key that allows everything', async () => {
    const { key } = await platform.agent();
    await create(key, ['read', 'buy']);
    const { status, body } = await revoke(key, await idOf(key));
    expect(status).to.equal(403);
    expect(body.error).to.equal('forbidden');
    expect((await me(key)).status).to.equal(200);
  });

  it('keeps the last key that allows everything and does not expire', async () => {
    const { key } = await platform.agent();
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const body = { scopes: ALL, expires_at };
    await platform.request('POST /api/v1/agent/keys', { key, body });
    expect((await revoke(key, await idOf(key))).body.error).to.equal('forbidden');
  });

  it('lets a key end itself where another allows everything', async () => {
    const { key } = await platform.agent();
    const other = await create(key, ALL);
    expect((await revoke(key, await idOf(key))).status).to.equal(200);
    expect((await me(other.api_key.key)).status).to.equal(200);
  });

  it('leaves one of two keys that end each other at once', async () => {
    const { id, key } = await platform.agent();
    const other = await create(key, ALL);
    const mine = await idOf(key);
    const answers = await inQueue(platform, `select from agent where id = ${id} for update`, [
      () => revoke(key, other.key_id),
      () => revoke(other.api_key.key, mine),
    ]);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 401]);
  });

  it('lets no key make itself a successor, from the moment of its end', async () => {
    const { key } = await platform.agent();
    const leaked = await create(key, ALL);
    expect((await me(leaked.api_key.key)).status).to.equal(200);

    await revoke(key, leaked.key_id);
    const attempt = await platform.request('POST /api/v1/agent/keys', {
      key: leaked.api_key.key,
      body: { scopes: ALL },
    });
    expect(attempt.status).to.equal(401);
    expect(attempt.body.error).to.equal('invalid_key');
  });

  it("refuses another agent's key and one that there is not, in the same words", async () => {
    const { key } = await platform.agent();
    const otherAgent = await platform.agent();
    const refusals = [
      await revoke(key, await idOf(otherAgent.key)),
      await revoke(key, 2_000_000_000),
    ];
    expect(refusals.map(({ status }) => status)).to.eql([404, 404]);
    expect(refusals.map(({ body }) => body.error)).to.eql(['not_found', 'not_found']);
    expect(refusals[0]!.body.message).to.equal(refusals[1]!.body.message);
    expect((await me(otherAgent.key)).status).to.equal(200);
  });

  it('refuses an id that is none, and a key that does not allow everything', async () => {
    const agent = await platform.agent();
    const { status, body } = await revoke(agent.key, 'first');
    expect(status).to.equal(422);
    expect(body.error).to.equal('validation_error');

    const weak = await revoke(await platform.keyOf(agent, ['read']), await idOf(agent.key));
    expect(weak.status).to.equal(403);
    expect(weak.body.error).to.equal('insufficient_scope');
  });
});
