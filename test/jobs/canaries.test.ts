import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { openStream, pathOf } from '../api/mcp/sse_client.ts';
import { TestPlatform } from '../harness.ts';
import { monitorRedis } from '../redis_monitor.ts';

/** Canaries: sold items, keys and passwords must be stored nowhere but sealed or hashed. */
describe('a secret', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  it('is in no row of any table, and never in Redis', async () => {
    const canaries = Array.from({ length: 4 }, () => `canary-${randomUUID()}`);
    const [item, content, addedItem, password] = canaries as [string, string, string, string];
    const redis = await watchRedis();
    const username = `s${randomUUID().slice(0, 12)}`;
    const registered = await platform.request('POST /api/v1/agent/register', {
      body: { username, email: `${username}@example.com`, password },
      headers: { 'idempotency-key': 'register' },
    });
    const { key } = registered.body.api_key;
    const withKey = (name: string) => ({ 'idempotency-key': name });

    const pool = await platform.request('POST /api/v1/products', {
      key,
      headers: withKey('pool'),
      body: { ...LISTING, stock_kind: 'serial_pool', items: [item] },
    });
    const unlimited = await platform.request('POST /api/v1/products', {
      key,
      headers: withKey('unlimited'),
      body: { ...LISTING, stock_kind: 'unlimited', content: { password: content } },
    });
    const added = await platform.request(`POST /api/v1/products/${pool.body.product_id}/stock`, {
      key,
      headers: withKey('stock'),
      body: { items: [addedItem] },
    });
    expect([pool.status, unlimited.status, added.status]).to.deep.equal([200, 200, 200]);

    const made = await platform.request('POST /api/v1/agent/keys', {
      key,
      headers: withKey('key'),
      body: { scopes: ['read'] },
    });
    const buyer = await platform.agent({ usd: 5 });
    for (const [{ body: product }, quantity, delivered] of [
      [pool, 2, [item, addedItem]],
      [unlimited, 1, [content]],
    ] as const) {
      const bought = await platform.request('POST /api/v1/orders', {
        key: buyer.key,
        headers: withKey(`buy-${product.product_id}`),
        body: { product_id: product.product_id, quantity },
      });
      const vault = await platform.request(`GET ${bought.body.item_endpoint}`, {
        key: buyer.key,
        headers: withKey(`open-${product.product_id}`),
      });
      for (const word of delivered) expect(vault.text).to.include(word);
    }

    // A message to a stream goes through Redis.
    const posted = `canary-${randomUUID()}`;
    const stream = await openStream(platform.url, key);
    const message = { name: 'add_stock', arguments: { product_id: 1, items: [posted] } };
    await platform.request(`POST ${await pathOf(stream)}`, {
      key,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: message },
    });
    expect((await stream.next())!.data).to.include('"jsonrpc"');
    stream.close();

    const secrets = [...canaries, posted, key, made.body.api_key.key, buyer.key];
    const [tables, streams] = [await everyRow(), await redis.everything()];
    expect(tables).to.include('purchase_product');
    for (const secret of secrets) {
      expect(tables.includes(secret), 'a secret in PostgreSQL').to.equal(false);
      expect(tables.includes(Buffer.from(secret).toString('hex')), 'in bytes').to.equal(false);
      expect(streams.includes(secret), 'a secret in Redis').to.equal(false);
    }
  });

  const LISTING = {
    title: 'A thing with a secret',
    description: 'Its content is for its buyer.',
    category: 'serial_key',
    price: 0.1,
  };

  async function everyRow(): Promise<string> {
    const tables: { name: string }[] = await platform.query(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema in ('public', 'ledger')`,
    );
    const rows: { row: string }[][] = await Promise.all(
      tables.map(({ name }) => platform.query(`select t::text as row from ${name} t`)),
    );
    return rows.flatMap((table) => table.map(({ row }) => row)).join('\n');
  }

  /** Every command that Redis gets from now on, seen by MONITOR, and every key stored there. */
  async function watchRedis() {
    const { redis } = platform.context.queue;
    const monitor = await monitorRedis(platform.config.redisUrl);
    return {
      async everything(): Promise<string> {
        const marker = randomUUID();
        await redis.echo(marker);
        const commands = await monitor.until(marker);
        monitor.stop();
        const stored: string[] = [];
        let cursor = '0';
        do {
          const [next, keys] = await redis.scan(cursor, 'MATCH', `${platform.prefix}*`);
          for (const key of keys) stored.push(key, (await redis.dumpBuffer(key))?.toString() ?? '');
          cursor = next;
        } while (cursor !== '0');
        expect(commands).to.include(platform.prefix);
        return [commands, ...stored].join('\n');
      },
    };
  }
});
