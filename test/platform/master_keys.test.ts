// test:all: everything that is sealed is sealed anew.
import { randomBytes, randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { run } from '../../local/processes/command.ts';
import { openKnownKeys } from '../../shared/domains/agents/known_keys.ts';
import {
  findKeyNeeds,
  reseal,
  SEALED_COLUMNS,
} from '../../shared/composition/master_keys/reseal.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { openSecrets } from '../../shared/platform/secrets.ts';
import { findOwner, findValid } from '../../shared/domains/proxies/sale/key_owners.ts';
import { eventually, TestPlatform } from '../harness.ts';

describe('another master key', () => {
  let platform: TestPlatform;
  let old: { id: string; key: Buffer };
  const next = { id: 'next', key: randomBytes(32) };

  beforeEach(async () => {
    platform = await TestPlatform.open();
    [old] = platform.config.masterKeys as [typeof old];
  });
  afterEach(async () => {
    platform.context.keys.stop();
    await platform.close();
  });

  /** Restarts everything with these MASTER_KEYS. */
  function restartWith(...keys: { id: string; key: Buffer }[]): void {
    const { context } = platform;
    context.keys.stop();
    const secrets = openSecrets(keys);
    const known = openKnownKeys(context.database, secrets);
    known.start(() => undefined);
    Object.assign(context, { secrets, keys: known });
  }

  const me = async (key: string) => platform.request('GET /api/v1/agent/me', { key });
  const needOf = async (id: string) =>
    (await findKeyNeeds(platform.context.database)).find(({ keyId }) => keyId === id);

  const nothingUnder = (id: string) =>
    eventually(
      () => needOf(id),
      (need) => need === undefined,
    );

  it('still knows a secret that was put up under the old one', async () => {
    const seller = await platform.agent();
    const secret = randomUUID();
    const { id } = await platform.product(seller, { items: [secret] });
    const addAgain = async () => {
      const route = `POST /api/v1/products/${id}/stock`;
      return platform.request(route, { key: seller.key, body: { items: [secret] } });
    };
    restartWith(next, old);
    expect((await addAgain()).status).to.equal(422);
    await reseal(platform.context.database, platform.context.secrets);
    await nothingUnder(old.id);
    restartWith(next);
    expect((await addAgain()).status).to.equal(422);
  });

  it('takes over all that is stored, and then the old one may go', async () => {
    const seller = await platform.agent();
    const buyer = await platform.agent({ usd: 5 });
    const pool = await platform.product(seller, { items: ['a unit', 'another unit'] });
    const text = await platform.product(seller, { stock_kind: 'unlimited', content: 'a text' });
    const orders = [];
    for (const { id } of [pool, text]) {
      const body = { product_id: id };
      const { body: order } = await platform.request('POST /api/v1/orders', {
        key: buyer.key,
        body,
      });
      orders.push(order);
    }
    const { body: proxy } = await platform.request('GET /api/v1/proxy/my-key', { key: buyer.key });
    const owner = await findOwner(platform.context, proxy.key);
    const message = { order_id: orders[0].order_id, text: 'A message.' };
    await platform.request('POST /api/v1/messages', { key: buyer.key, body: message });

    restartWith(next, old);
    const { database, secrets } = platform.context;
    expect((await needOf(old.id))!.sealed).to.equal(6);
    expect(await reseal(database, secrets)).to.equal(6);
    expect(await reseal(database, secrets)).to.equal(0);
    // The API keys move when they are used.
    expect((await needOf(old.id))!.apiKeys).to.equal(2);
    for (const { key } of [seller, buyer]) expect((await me(key)).status).to.equal(200);
    await nothingUnder(old.id);

    restartWith(next);
    const vaults = orders.map(({ item_endpoint }) =>
      platform.request(`GET ${item_endpoint}`, { key: buyer.key }),
    );
    const items = (await Promise.all(vaults)).map(({ body }) => body.items[0].content);
    expect(items).to.deep.equal(['a unit', 'a text']);
    const shown = await platform.request('GET /api/v1/proxy/my-key', { key: buyer.key });
    expect(shown.body).to.deep.equal(proxy);
    const { body: mail } = await platform.request('GET /api/v1/messages', { key: buyer.key });
    expect(mail.messages[0].text.content).to.equal('A message.');
    // A connection that was open all the time stays open.
    expect(await findOwner(platform.context, proxy.key)).to.deep.equal(owner);
    expect((await findValid(database, [{ owner: owner! }])).size).to.equal(1);
  });

  it('goes on where it was stopped, and leaves alone what does not open', async () => {
    const seller = await platform.agent();
    await platform.product(seller, { items: [randomUUID(), randomUUID()] });
    const { id } = await platform.product(seller, { stock_kind: 'unlimited', content: 'a text' });
    await platform.product(seller, { stock_kind: 'unlimited', content: 'another' });
    await platform.query(
      `update product_version set content = set_byte(content, length(content) - 1,
              get_byte(content, length(content) - 1) # 1) where product_id = $1`,
      [id],
    );
    restartWith(next, old);
    const { database, secrets } = platform.context;
    const stop = new Error('stopped');
    const stopped = reseal(database, secrets, {
      onBatch({ table }) {
        if (table === 'stock_secret') throw stop;
      },
    });
    expect(await stopped.catch((error: unknown) => error)).to.equal(stop);
    expect((await needOf(old.id))!.sealed).to.equal(2);

    const damaged: string[] = [];
    const onDamage = ({ table }: { table: string }, row: string) => damaged.push(`${table} ${row}`);
    expect(await reseal(database, secrets, { onDamage })).to.equal(1);
    expect(damaged).to.deep.equal([`product_version ${id}.1`]);
    expect((await needOf(old.id))!.sealed).to.equal(1);
  });

  it('is taken into use by npm run reseal, which says what may go', async () => {
    const seller = await platform.agent();
    await platform.product(seller, { items: ['a unit'] });
    const list = [next, old].map(({ id, key }) => `${id}:${key.toString('base64url')}`).join(',');
    const npmRunReseal = (masterKeys: string) =>
      run(process.execPath, ['local/bootstrap.mjs', 'reseal'], {
        env: {
          ...process.env,
          DATABASE_URL: platform.config.databaseUrl,
          MASTER_KEYS: masterKeys,
        },
      });
    const done = await npmRunReseal(list);
    expect(done.ok, done.all).to.equal(true);
    expect(done.all).to.match(/^sealed again: 1 of stock_secret.secret$/m);
    expect(done.all).to.match(/^key next seals; 2 values are under it$/m);
    expect(done.all).to.match(/^key test may go, 72 hours after .* then 1 API keys end/m);

    const without = await npmRunReseal(list.split(',')[1]!);
    expect(without.ok, without.all).to.equal(false);
    expect(without.all).to.match(/^key next is not in MASTER_KEYS: 2 values and 0 API keys$/m);

    const other = await npmRunReseal(newMasterKey('test'));
    expect(other.ok, other.all).to.equal(false);
    expect(other.all).to.match(/^MASTER_KEYS: the key test differs from the one of this name/m);
    expect(other.all).not.to.contain('DAMAGED');
  });

  it('makes API keys under a key that is gone unknown, and no fault', async () => {
    const { key } = await platform.agent();
    await platform.request('GET /api/v1/proxy/my-key', { key });
    restartWith(next);
    const { status, body } = await me(key);
    expect([status, body.error]).to.deep.equal([401, 'invalid_key']);
  });

  it('replaces a proxy key that nothing opens any more', async () => {
    const { key } = await platform.agent();
    const { body: first } = await platform.request('GET /api/v1/proxy/my-key', { key });
    restartWith(next, old);
    expect((await me(key)).status).to.equal(200);
    await eventually(
      () => needOf('next'),
      (need) => need?.apiKeys === 1,
    );
    restartWith(next);
    const { status, body } = await platform.request('GET /api/v1/proxy/my-key', { key });
    expect(status).to.equal(200);
    expect(body.key).not.to.equal(first.key);
  });

  it('reaches every column of bytes that is no hash', async () => {
    const found: { name: string }[] = await platform.query(
      `select table_name || '.' || column_name as name from information_schema.columns
        where data_type = 'bytea' and table_schema = 'public'`,
    );
    const hashes = [
      'web_session.hash',
      'start_link.hash',
      'recovery_code.hash',
      'answered_challenge.hash',
      'oauth_item.id',
      'api_key.hash',
      'proxy_key.hash',
      'job.input_hash',
      'approval.input_hash',
      'x402_payment.input_hash',
      'x402_payment.origin',
      'mail_token.hash',
      'email_file_address.digest',
      'mail_reply.mailbox',
      'receipt.hash',
      'receipt_head.hash',
      'receipt_day.hash',
      'receipt_day.root_hash',
      'receipt_day.blocks',
    ];
    const open = [
      ...hashes,
      'proxy.day', // The checks of a day, counted by the quarter of an hour.
      'passkey.public_key',
      'job.trace', // Ids of a span, which a collector is sent too.
      'master_key_canary.sealed', // Each master key has its own, which stays under it.
      'receipt.signature', // Shown to whoever holds the receipt.
      'receipt_day.signature',
      'mail_token.nonce', // A link is a keyed hash of it: alone it opens nothing.
    ];
    const names = found.map(({ name }) => name).filter((name) => !open.includes(name));
    const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    expect(names.filter((name) => !name.endsWith('.fingerprint'))).to.have.members(sealed);
  });
});
