import { randomUUID } from 'node:crypto';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { stock } from './stock.ts';

describe('proxy_fetch_one', () => {
  let platform: TestPlatform;
  let agent: Awaited<ReturnType<TestPlatform['agent']>>;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  beforeEach(async () => {
    agent = await platform.agent();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const fetchOne = (id: number | string, headers = {}) =>
    platform.request(`GET /api/v1/proxy/${id}`, { key: agent.key, headers });

  it('gives one proxy for $0.001, by its id in either form', async () => {
    const [id] = await stock(platform, { country: 'DE', state: 'warm' });
    const { status, body } = await fetchOne(id!);
    expect(status).to.equal(200);
    expect(body).to.include({ id: String(id), country_code: 'DE', charged: 0.001 });
    expect(body).to.include.keys('ip_port', 'protocol', 'latency_ms', 'last_checked_at');
    for (const proxy_id of [id, String(id)]) {
      const called = await platform.request('POST /api/v1/mcp/call', {
        key: agent.key,
        body: { tool: 'proxy_fetch_one', params: { proxy_id } },
      });
      expect(called.body.structuredContent).to.include({ id: String(id), charged: 0.001 });
    }
    expect(await platform.balance(agent)).to.equal(0.497);
  });

  it('refuses an id that is not on sale, and what is no id, free of charge', async () => {
    const ids = await Promise.all(
      ['degraded', 'quarantined', 'dead'].map((state) => stock(platform, { state })),
    );
    for (const id of [...ids.flat(), 2_147_483_647]) {
      const { status, body } = await fetchOne(id);
      expect([status, body.error], String(id)).to.deep.equal([404, 'not_found']);
    }
    for (const id of ['0', '-1', '2147483648', '9999999999', '1.5', 'x', '1e3', '1%20']) {
      expect((await fetchOne(id)).status, id).to.equal(422);
    }
    const called = await platform.request('POST /api/v1/mcp/call', {
      key: agent.key,
      body: { tool: 'proxy_fetch_one', params: { proxy_id: '9999999999' } },
    });
    expect([called.status, called.body.structuredContent.error]).to.deep.equal([
      422,
      'validation_error',
    ]);
    expect(await platform.balance(agent)).to.equal(0.5);
  });

  it('says once what is wrong with an id that is none', async () => {
    const { key } = await platform.agent();
    const wrong = async (id: string) =>
      (await platform.request(`GET /api/v1/proxy/${id}`, { key })).body.details.fields;
    const message = 'is invalid, expected: An integer as a string';
    expect(await wrong('abc')).to.deep.equal([{ pointer: '/proxy_id', message }]);
    expect(await wrong('0')).to.deep.equal([{ pointer: '/proxy_id', message: 'must be >= 1' }]);
    const { body } = await platform.request('POST /api/v1/mcp/call', {
      key,
      body: { tool: 'proxy_fetch_one', params: { proxy_id: true } },
    });
    const none = 'is invalid, expected: The id of a proxy';
    expect(body.structuredContent.details.fields).to.deep.equal([
      { pointer: '/proxy_id', message: none },
    ]);
  });

  it('answers a repeat with the same bytes and charges once', async () => {
    const [id] = await stock(platform);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await fetchOne(id!, headers);
    await platform.query(`update proxy set state = 'dead', latency_ms = 1 where id = $1`, [id]);
    const again = await fetchOne(id!, headers);
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    const idempotency_key = headers['idempotency-key'];
    const params = { proxy_id: String(id), idempotency_key };
    const called = await platform.request('POST /api/v1/mcp/call', {
      key: agent.key,
      body: { tool: 'proxy_fetch_one', params },
    });
    expect(called.body.structuredContent).to.deep.equal(first.body);
    expect(await platform.balance(agent)).to.equal(0.499);
    const [{ row }] = await platform.query('select job::text as row from job where key = $1', [
      headers['idempotency-key'],
    ]);
    expect(row).to.include('proxy_fetch_one').and.not.to.include(first.body.ip_port);
  });

  it('answers the repeat of a refusal with the same bytes', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await fetchOne(2_147_483_647, headers);
    const again = await fetchOne(2_147_483_647, headers);
    expect([again.status, again.text]).to.deep.equal([404, first.text]);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
  });

  it('refuses an agent that cannot pay', async () => {
    const [id] = await stock(platform, { count: 100 });
    for (let n = 0; n < 5; n += 1) {
      await platform.request('GET /api/v1/proxy/list?limit=100', { key: agent.key });
    }
    expect(await platform.balance(agent)).to.equal(0);
    const { status, body } = await fetchOne(id!);
    expect([status, body.error]).to.deep.equal([402, 'insufficient_balance']);
  });

  it('never charges for HEAD', async () => {
    const [id] = await stock(platform);
    const headers = { authorization: `Bearer ${agent.key}` };
    const { status } = await fetch(`${platform.url}/api/v1/proxy/${id}`, {
      method: 'HEAD',
      headers,
    });
    expect(status).to.equal(405);
    expect(await platform.balance(agent)).to.equal(0.5);
  });
});
