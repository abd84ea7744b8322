import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { openKnownKeys } from '../../shared/domains/agents/known_keys.ts';
import { findOwner } from '../../shared/domains/proxies/sale/key_owners.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';

describe('proxy_my_key', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const mine = (key: string, headers = {}) =>
    platform.request('GET /api/v1/proxy/my-key', { key, headers });
  const rotate = (key: string, headers = {}) =>
    platform.request('POST /api/v1/proxy/my-key/rotate', { key, headers });

  it('shows an agent one key of its own, always the same, free of charge', async () => {
    const [one, two] = await Promise.all([platform.agent(), platform.agent()]);
    const child = await childOf(platform, one);
    const { status, body, headers } = await mine(one.key);
    expect(status).to.equal(200);
    expect(body.key).to.match(/^vnxp_[\w-]{43}$/);
    expect(body).to.include({ door: null, price: 0.001 });
    expect(headers.get('cache-control')).to.equal('no-store');
    expect((await mine(one.key)).body).to.deep.equal(body);
    const others = await Promise.all([mine(two.key), mine(child.key)]);
    expect(new Set([body.key, ...others.map((reply) => reply.body.key)]).size).to.equal(3);
    expect(await platform.balance(one)).to.equal(0.5);
  });

  it('makes one key for ten first calls at the same moment', async () => {
    const { key } = await platform.agent();
    const replies = await Promise.all(Array.from({ length: 10 }, () => mine(key)));
    expect(new Set(replies.map(({ body }) => body.key)).size).to.equal(1);
  });

  it('is replaced by rotate_proxy_key at once', async () => {
    const { key } = await platform.agent();
    const first = await mine(key);
    const second = await rotate(key);
    expect(second.body.key)
      .to.match(/^vnxp_/)
      .and.not.equal(first.body.key);
    expect((await mine(key)).body).to.deep.equal(second.body);
    const never = await platform.agent();
    expect((await rotate(never.key)).body.key).to.match(/^vnxp_/);
  });

  it('is replaced once for one Idempotency-Key, and shown once', async () => {
    const { key } = await platform.agent();
    const headers = { 'idempotency-key': 'rotate-1' };
    const first = await rotate(key, headers);
    const repeated = await rotate(key, headers);
    expect(repeated.headers.get('idempotent-replayed')).to.equal('true');
    expect(repeated.body).to.deep.equal({ ...first.body, key: null });
    expect((await mine(key)).body).to.deep.equal(first.body);
    const next = await rotate(key, { 'idempotency-key': 'rotate-2' });
    expect(next.body.key).not.to.equal(first.body.key);
  });

  it('is replaced by API keys with the scope buy alone', async () => {
    const { key } = await platform.agent();
    const body = { scopes: ['read', 'sell'] };
    const made = await platform.request('POST /api/v1/agent/keys', { key, body });
    const { body: before } = await mine(key);
    const refused = await rotate(made.body.api_key.key);
    expect([refused.status, refused.body.error]).to.deep.equal([403, 'insufficient_scope']);
    expect((await mine(key)).body).to.deep.equal(before);
  });

  describe('that an API key has read', () => {
    const create = async (key: string) =>
      (await platform.request('POST /api/v1/agent/keys', { key, body: { scopes: ['buy'] } })).body;
    const revoke = async (key: string, { key_id }: { key_id: number }, query = '') =>
      (await platform.request(`DELETE /api/v1/agent/keys/${key_id}${query}`, { key })).body;

    it('ends with that API key if its owner says so, and works on otherwise', async () => {
      const { key } = await platform.agent();
      const [reader, other] = [await create(key), await create(key)];
      const { body: first } = await mine(key);
      expect((await mine(reader.api_key.key)).body).to.deep.equal(first);

      const unread = await revoke(key, other, '?end_proxy_key=true');
      expect(unread.proxy_key).to.equal('not_shown');
      expect((await revoke(key, reader)).proxy_key).to.equal('works');
      expect((await mine(key)).body).to.deep.equal(first);
      expect((await revoke(key, reader, '?end_proxy_key=true')).proxy_key).to.equal('ended');
      const owner = await findOwner(platform.context, first.key);
      expect(owner).to.equal(undefined);
      expect((await mine(key)).body.key).not.to.equal(first.key);
      expect((await revoke(key, reader)).proxy_key).to.equal('not_shown');
    });

    it('ends when that API key is rotated, if its owner says so', async () => {
      const { key } = await platform.agent();
      const reader = await create(key);
      const { body: first } = await mine(reader.api_key.key);
      const { body } = await platform.request(`POST /api/v1/agent/keys/${reader.key_id}/rotate`, {
        key,
        body: { end_proxy_key: true },
      });
      expect(body.proxy_key).to.equal('ended');
      expect((await mine(body.api_key.key)).body.key).not.to.equal(first.key);
    });

    it('is neither shown nor replaced for a key that was revoked a moment ago', async () => {
      const { key } = await platform.agent();
      const reader = await create(key);
      const { keys, database, secrets } = platform.context;
      const unaware = openKnownKeys(database, secrets, { elapsedMs: () => 0 });
      await unaware.look(); // and never again
      Object.assign(platform.context, { keys: unaware });
      try {
        expect((await mine(reader.api_key.key)).status).to.equal(200);
        await revoke(key, reader, '?end_proxy_key=true');
        expect(
          (await platform.request('GET /api/v1/agent/me', { key: reader.api_key.key })).status,
        ).to.equal(200);
        for (const call of [mine, rotate]) {
          const { status, body } = await call(reader.api_key.key);
          expect([status, body.error]).to.deep.equal([401, 'invalid_key']);
        }
      } finally {
        Object.assign(platform.context, { keys });
      }
    });
  });

  it('is stored only sealed and hashed', async () => {
    const { key, id } = await platform.agent();
    const headers = { 'idempotency-key': 'mine' };
    const keys = [await mine(key, headers), await rotate(key, headers)];
    const secrets = keys.map(({ body }) => body.key.slice(5) as string);
    const tables: { name: string }[] = await platform.query(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema in ('public', 'ledger')`,
    );
    for (const { name } of tables) {
      const rows = await platform.query(`select t::text as row from ${name} t`);
      const told = rows.map(({ row }: { row: string }) => row).join('\n');
      for (const secret of secrets) {
        expect(told, name).not.to.include(secret);
        expect(told, name).not.to.include(Buffer.from(secret).toString('hex'));
      }
    }
    // Sealed to its row: another agent's sealed key does not open there.
    const other = await platform.agent();
    await mine(other.key);
    await platform.query(
      `update proxy_key set sealed = (select sealed from proxy_key where agent_id = $1)
        where agent_id = $2`,
      [id, other.id],
    );
    expect((await mine(other.key)).status).to.equal(500);
  });
});
