import { randomBytes } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { transact } from '../../shared/platform/database.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform, type Reply } from '../harness.ts';
import { untilWaiting } from '../in_queue.ts';

const MB = 1024 * 1024;
const CONTENT = 64 * 1024;
const FILL = `
  insert into dataset_upload (upload_id, agent_id, root_id, after, row_count, bytes, content)
  select $1::bigint * 1000 + n, $1, $1, 0, 1, least(16777216, $2::int - n * 16777216), 'x'
    from generate_series(0, ($2::int - 2) / 16777216) n`;

describe('what a tree of agents stores as products', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  interface Agent {
    readonly id: number;
    readonly key: string;
  }
  const fields = { title: 'A text', description: 'It.', category: 'api_service', price: 1 };
  const text = (bytes: number) => randomBytes(bytes / 2).toString('hex');
  const sell = ({ key }: Agent, delivery: object) =>
    platform.request('POST /api/v1/products', { key, body: { ...fields, ...delivery } });
  const change = ({ key }: Agent, id: number, body: object) =>
    platform.request(`PATCH /api/v1/products/${id}`, { key, body });
  const statuses = (replies: readonly Reply[]) =>
    replies.map(({ status }) => status).toSorted((a, b) => a - b);
  /** Makes it a tree that has uploaded so much. */
  const uploaded = (root: Agent, bytes: number) => platform.query(FILL, [root.id, bytes]);
  const forgetUploads = () => platform.query('delete from dataset_upload');

  it('is 256 MB with all versions of its contents, exactly, more in a higher tier', async () => {
    const [root, other] = [await platform.agent(), await platform.agent()];
    const child = await childOf(platform, root);
    const content = () => ({ stock_kind: 'unlimited', content: text(CONTENT) });
    const first = await sell(root, content());
    expect(first.status, first.text).to.equal(200);
    // Enough for three more, with what a row takes besides.
    await uploaded(root, 256 * MB - Math.floor(4.1 * CONTENT));
    const id = first.body.product_id as number;
    const replies = await Promise.all([
      ...[1, 2].map(() => sell(root, content())),
      ...[1, 2].map(() => sell(child, content())),
      ...[1, 2].map(() => change(root, id, { content: text(CONTENT) })),
    ]);
    expect(statuses(replies)).to.deep.equal([200, 200, 200, 413, 413, 413]);
    const full = await change(root, id, { content: text(CONTENT) });
    expect(full.body.error).to.equal('payload_too_large');
    expect(full.body.details.bytes_max).to.equal(256 * MB);
    expect(full.body.details.bytes_used).to.be.within(256 * MB - CONTENT, 256 * MB);
    expect((await sell(other, content())).status).to.equal(200);
    expect((await change(root, id, { price: 2 })).status, 'without content').to.equal(200);
    await platform.fund(root.id, 50);
    const { key } = await childOf(platform, root);
    expect((await sell({ id: root.id, key }, content())).status).to.equal(200);
    await forgetUploads();
  });

  it('is counted by one call after the other', async () => {
    const root = await platform.agent();
    const { product_id } = (await sell(root, { stock_kind: 'unlimited', content: 'It.' })).body;
    let last: Promise<Reply> | undefined;
    await transact(platform.context.database, async (db) => {
      await db.query(`select pg_advisory_xact_lock(hashtextextended('storage', $1))`, [root.id]);
      last = change(root, product_id, { content: text(CONTENT) });
      await Promise.race([last, untilWaiting(platform, 1)]);
      await db.query(FILL, [root.id, 256 * MB - CONTENT]);
    });
    expect((await last!).status).to.equal(413);
    await forgetUploads();
  });

  it('grows by 64 MB of items and versions a day, exactly', async () => {
    const [root, other] = [await platform.agent(), await platform.agent()];
    const child = await childOf(platform, root);
    const items = () => ({ stock_kind: 'serial_pool', items: [text(1_024)] });
    const product = (await sell(root, items())).body.product_id as number;
    // Enough for three, each with what a row takes besides.
    const holder = `tree ${root.id}`;
    const used = (bytes: number) =>
      platform.query('update limit_window set used = $2 where holder = $1', [holder, bytes]);
    await used(64 * MB - 3.5 * 2_048);
    const add = () =>
      platform.request(`POST /api/v1/products/${product}/stock`, {
        key: root.key,
        body: { items: [text(1_024)] },
      });
    const replies = await Promise.all([
      ...[1, 2, 3].map(add),
      ...[1, 2, 3].map(() => sell(child, items())),
    ]);
    expect(statuses(replies)).to.deep.equal([200, 200, 200, 429, 429, 429]);
    const full = await add();
    expect(full.body.details).to.include({
      limited_by: 'listed_bytes',
      limit: 64 * MB,
      used: 64 * MB - 1_024,
      window_seconds: 86_400,
    });
    await used(64 * MB);
    expect((await change(root, product, { price: 2 })).body.error).to.equal('rate_limited');
    expect((await change(root, product, { active: false })).status, 'no version').to.equal(200);
    expect((await sell(other, items())).status).to.equal(200);
    await platform.query('update limit_window set resets_at = now()');
    expect((await add()).status).to.equal(200);
  });
});
