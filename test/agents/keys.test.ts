import { expect } from 'chai';
import { randomUUID } from 'node:crypto';

import { audit } from '../../shared/composition/audit.ts';
import { redisForWorkers } from '../../shared/platform/redis.ts';
import { TestPlatform } from '../harness.ts';
import { monitorRedis } from '../redis_monitor.ts';

describe('keys and passwords', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** Every row of every table, as text. */
  async function everyRow(): Promise<string> {
    const tables: { name: string }[] = await platform.query(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE'
          and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const rows = await Promise.all(
      tables.map(({ name }) => platform.query(`select t::text as row from ${name} t`)),
    );
    return JSON.stringify(rows);
  }

  /** How a secret may look where it rests: as text, or as bytes written out. */
  const looksOf = (secret: string) =>
    (['utf8', 'hex', 'base64', 'base64url'] as const).map((encoding) =>
      Buffer.from(secret).toString(encoding).replace(/=+$/, ''),
    );

  it('rest in no table and pass through no Redis', async () => {
    const monitor = await monitorRedis(platform.config.redisUrl);

    const password = `canary ${randomUUID()}`;
    const username = `canary${randomUUID().slice(0, 8)}`;
    const { body: agent } = await platform.request('POST /api/v1/agent/register', {
      headers: { 'idempotency-key': randomUUID() },
      body: { username, email: `${username}@example.com`, password },
    });
    const key = agent.api_key.key as string;
    const once = () => ({ 'idempotency-key': randomUUID() });
    const { body: made } = await platform.request('POST /api/v1/agent/keys', {
      key,
      headers: once(),
      body: { name: username, scopes: ['read'] },
    });
    const { body: rotated } = await platform.request(
      `POST /api/v1/agent/keys/${made.key_id}/rotate`,
      {
        key,
        headers: once(),
      },
    );
    // A job goes by Redis, refused or not.
    await platform.request('POST /api/v1/orders', {
      key,
      headers: once(),
      body: { product_id: 1 },
    });
    const marker = randomUUID();
    const waitingRedis = redisForWorkers(platform.config.redisUrl, platform.context.log);
    await waitingRedis.echo(marker);
    waitingRedis.disconnect();
    const told = await monitor.until(marker);
    monitor.stop();

    const rows = await everyRow();
    expect(rows).to.include(username); // or this would prove nothing
    expect(told).to.include(platform.prefix);
    const secrets = [password, key, made.api_key.key, rotated.api_key.key];
    for (const secret of secrets.flatMap((text: string) => [text, text.slice(13)])) {
      for (const look of looksOf(secret)) {
        expect(rows.includes(look), 'a secret rests in PostgreSQL').to.equal(false);
        expect(told.includes(look), 'a secret passed through Redis').to.equal(false);
      }
    }
  });

  it('are managed by REST and by no tool: a key in a model\u2019s context is a leaked key', async () => {
    const { key } = await platform.agent();
    for (const tool of ['list_keys', 'create_key', 'rotate_key', 'revoke_key']) {
      const { status, body } = await platform.request('POST /api/v1/mcp/call', {
        key,
        body: { tool, params: {} },
      });
      expect(status).to.equal(404);
      expect(body.structuredContent.error).to.equal('not_found');
    }
  });
});
