import { expect } from 'chai';
import { randomUUID } from 'node:crypto';

import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';

const ROUTE = 'POST /api/v1/agent/keys';

describe('create_key', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const create = (key: string, body: object, headers = {}) =>
    platform.request(ROUTE, { key, body, headers });
  const countLive = async (key: string) =>
    (await platform.request('GET /api/v1/agent/keys?limit=100', { key })).body.keys.filter(
      ({ revoked_at }: { revoked_at: string | null }) => revoked_at === null,
    ).length as number;

  it('makes a key that allows what was asked for and nothing else', async () => {
    const agent = await platform.agent();
    const { status, body } = await create(agent.key, { name: 'reader', scopes: ['read'] });

    expect(status).to.equal(200);
    expect(body).to.deep.include({ name: 'reader', scopes: ['read'], revoked_at: null });
    const { key, warning } = body.api_key;
    expect(key.startsWith(`${body.prefix}_`)).to.equal(true);
    expect(warning).to.be.a('string').with.length.above(0);
    expect((await platform.request('GET /api/v1/wallet', { key })).status).to.equal(200);
    const bought = await platform.request('POST /api/v1/orders', { key, body: { product_id: 1 } });
    expect(bought.status).to.equal(403);
    expect(bought.body.error).to.equal('insufficient_scope');
    expect(bought.body.details).to.eql({ required: ['buy'], granted: ['read'] });
  });

  it('cleans the name of what cannot be seen, and gives one where none is given', async () => {
    const { key } = await platform.agent();
    const scopes = ['read'];
    expect((await create(key, { scopes, name: ' ci\u202e \u200b ' })).body.name).to.equal('ci');
    expect((await create(key, { scopes })).body.name).to.equal('unnamed');
  });

  it('makes a key that stops working when it expires, and cannot be rotated then', async () => {
    const { key } = await platform.agent();
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { body: made } = await create(key, { scopes: ['read'], expires_at });
    expect(made.expires_at).to.equal(expires_at);
    const wallet = () => platform.request('GET /api/v1/wallet', { key: made.api_key.key });
    expect((await wallet()).status).to.equal(200);

    const rotated = await platform.request(`POST /api/v1/agent/keys/${made.key_id}/rotate`, {
      key,
    });
    expect(rotated.body.expires_at).to.equal(expires_at);

    await platform.query('update api_key set expires_at = now() where id = $1', [
      rotated.body.key_id,
    ]);
    const refusal = await eventually(
      () => platform.request('GET /api/v1/wallet', { key: rotated.body.api_key.key }),
      ({ status }) => status === 401,
    );
    expect(refusal.body.error).to.equal('invalid_key');
    expect(await countLive(key)).to.equal(2); // none is revoked but the rotated one
    const route = `POST /api/v1/agent/keys/${rotated.body.key_id}/rotate`;
    const again = await platform.request(route, { key });
    expect([again.status, again.body.error]).to.eql([409, 'invalid_transition']);
  });

  const refused: [what: string, body: object, pointer: string][] = [
    ['no scopes', {}, '/scopes'],
    ['an empty list of scopes', { scopes: [] }, '/scopes'],
    ['a scope that there is not', { scopes: ['read', 'admin'] }, '/scopes/1'],
    ['a scope twice', { scopes: ['read', 'read'] }, '/scopes'],
    ['a name that is too long', { scopes: ['read'], name: 'x'.repeat(65) }, '/name'],
    ['a name that cannot be seen', { scopes: ['read'], name: '\u200b ' }, '/name'],
    [
      'an expiry that has passed',
      { scopes: ['read'], expires_at: '2020-01-01T00:00:00Z' },
      '/expires_at',
    ],
    ['an expiry that is none', { scopes: ['read'], expires_at: 'tomorrow' }, '/expires_at'],
    ['an agent that is none', { scopes: ['read'], agent_id: 'me' }, '/agent_id'],
  ];
  for (const [what, body, pointer] of refused) {
    it(`refuses ${what}`, async () => {
      const { key } = await platform.agent();
      const answer = await create(key, body);
      expect(answer.status).to.equal(422);
      expect(answer.body.error).to.equal('validation_error');
      expect(answer.body.details.fields[0].pointer).to.equal(pointer);
      expect(await countLive(key)).to.equal(1);
    });
  }

  it('refuses a key that does not allow everything', async () => {
    const key = await platform.keyOf(await platform.agent(), ['read', 'sell']);
    const { status, body } = await create(key, { scopes: ['read'] });
    expect(status).to.equal(403);
    expect(body.error).to.equal('insufficient_scope');
  });

  it('makes one key of repeats with one Idempotency-Key, and shows it once', async () => {
    const { key } = await platform.agent();
    const headers = { 'idempotency-key': randomUUID() };
    const body = { name: 'once', scopes: ['buy'] };
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(key, body, headers)));
    answers.push(await create(key, body, headers));

    expect(answers.map(({ status }) => status)).to.eql([200, 200, 200, 200, 200, 200]);
    expect(answers.filter((answer) => answer.body.api_key.key !== null)).to.have.length(1);
    expect(new Set(answers.map((answer) => answer.body.key_id)).size).to.equal(1);
    expect(answers.at(-1)!.headers.get('idempotent-replayed')).to.equal('true');
    expect(await countLive(key)).to.equal(2);

    const other = await create(key, { ...body, scopes: ['read'] }, headers);
    expect(other.status).to.equal(422);
    expect(other.body.error).to.equal('idempotency_conflict');
  });

  it('stops at a hundred working keys, however many are asked for at once', async () => {
    const { key } = await platform.agent();
    const ask = (length: number) =>
      Promise.all(Array.from({ length }, () => create(key, { scopes: ['read'] })));
    const made = await ask(94);
    const last = await ask(10);

    expect(last.filter(({ status }) => status === 200)).to.have.length(5);
    for (const { status, body } of last) {
      if (status !== 200) expect({ status, error: body.error }).to.eql(FORBIDDEN);
    }
    expect(await countLive(key)).to.equal(100);

    await platform.request(`DELETE /api/v1/agent/keys/${made[0]!.body.key_id}`, { key });
    expect((await create(key, { scopes: ['read'] })).status).to.equal(200);
  });
});

const FORBIDDEN = { status: 403, error: 'forbidden' };
