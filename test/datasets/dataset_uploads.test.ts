import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform, type Reply } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import { access, create, mine, offer, rotate } from './offer.ts';

describe('rows of datasets that are uploaded', () => {
  let platform: TestPlatform;
  let seller: Awaited<ReturnType<TestPlatform['agent']>>;
  let other: typeof seller;
  before(async () => {
    platform = await TestPlatform.open();
    [seller, other] = await Promise.all([platform.agent(), platform.agent()]);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const upload = (rows: readonly object[], fields: object = {}, { key } = seller) =>
    platform.request('POST /api/v1/datasets/uploads', {
      key,
      body: { jsonl: rows.map((row) => JSON.stringify(row)).join('\n'), ...fields },
    });
  const uploaded = async (parts: readonly (readonly object[])[]): Promise<number> => {
    let sent: { upload_id?: number; after?: number } = {};
    for (const rows of parts) {
      const { body, text } = await upload(rows, sent);
      expect(body.upload_id, text).to.be.a('number');
      sent = { upload_id: body.upload_id, after: body.row_count };
    }
    return sent.upload_id!;
  };
  const json = { type: 'json' };
  const refusalOf = ({ status, body }: { status: number; body: { error: string } }) =>
    `${status} ${body.error}`;
  const page = (id: number, cursor: string | null) =>
    platform.request(`GET /api/v1/datasets/${id}/access${cursor ? `?cursor=${cursor}` : ''}`, {
      key: other.key,
    });

  it('are delivered in pages, each of one part, whole and in order', async () => {
    const parts = [0, 1, 2].map((part) =>
      Array.from({ length: 100 }, (_, n) => ({ n: part * 100 + n, name: 'Ålesund "x"' })),
    );
    const upload_id = await uploaded(parts);
    const { dataset_id: id } = await offer(platform, seller, { ...json, upload_id });
    const { row_count, size_bytes } = await mine(platform, seller, id);
    expect([row_count, size_bytes]).to.deep.equal([
      300,
      Buffer.byteLength(JSON.stringify(parts.flat())),
    ]);
    const sha256 = createHash('sha256').update(JSON.stringify(parts.flat())).digest('hex');
    const found: object[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await page(id, cursor);
      expect(body).to.include({ row_count: 300, has_more: body.next_cursor !== null, sha256 });
      found.push(...body.data);
      cursor = body.next_cursor;
    } while (cursor);
    expect(found).to.deep.equal(parts.flat());

    expect(refusalOf(await create(platform, seller, { ...json, upload_id }))).to.equal(
      '404 not_found',
    );
    expect(await platform.query('select from dataset_upload')).to.have.length(0);
  });

  it('are sealed before they are offered too', async () => {
    const canary = `CANARY-${Math.random()}`;
    await upload([{ canary }]);
    const found = await platform.query(
      'select from dataset_upload where position($1::bytea in content) > 0',
      [Buffer.from(canary)],
    );
    expect(found).to.have.length(0);
  });

  it('are added once, however often and by however many calls a part is sent', async () => {
    const first = await upload([{ n: 0 }, { n: 1 }]);
    const next = { upload_id: first.body.upload_id, after: 2 };
    const answers = await Promise.all([1, 2, 3].map(() => upload([{ n: 2 }], next)));
    const outcomes = answers.map(refusalOf).sort();
    expect(outcomes).to.deep.equal([
      '200 undefined',
      '409 invalid_transition',
      '409 invalid_transition',
    ]);
    expect((await upload([{ n: 2 }], next)).body.details).to.deep.equal({ row_count: 3 });
  });

  it('belong to the agent that sent them', async () => {
    const upload_id = await uploaded([[{ n: 1 }]]);
    const foreign = await upload([{ n: 2 }], { upload_id, after: 1 }, other);
    expect(refusalOf(foreign)).to.equal('404 not_found');
    expect(refusalOf(await create(platform, other, { ...json, upload_id }))).to.equal(
      '404 not_found',
    );
  });

  it('are 16 MB at most', async () => {
    const upload_id = await uploaded([[{ n: 1 }]]);
    // {"n":2} and its comma are 8 bytes, the brackets 2.
    const fill = (bytes: number) =>
      platform.query('update dataset_upload set bytes = $2 where upload_id = $1', [
        upload_id,
        bytes,
      ]);
    await fill(16 * 1024 * 1024 - 9);
    const large = await upload([{ n: 2 }], { upload_id, after: 1 });
    expect(refusalOf(large)).to.equal('413 payload_too_large');
    expect(large.body.details).to.deep.equal({ bytes_max: 16_777_216 });
    await fill(16 * 1024 * 1024 - 10);
    const { body } = await upload([{ n: 2 }], { upload_id, after: 1 });
    expect(body).to.include({ row_count: 2, size_bytes: 16_777_216 });
  });

  it('must be lines with an object each', async () => {
    for (const [jsonl, message] of [
      ['\n', 'has no lines'],
      ['{"n": 1}\n[1]', 'has no object in line 2'],
      ['{"n": 1}\n{}', 'has an empty object in line 2'],
      ['{"n": 1}\n\n{"n": ', 'has no object in line 2'],
      [`{"n": [${'1,'.repeat(40_000)}1]}`, 'holds too many values for one call'],
      [`{"n": ${'['.repeat(40)}${']'.repeat(40)}}`, 'is deeper than 32 levels'],
    ] as const) {
      const { status, body } = await upload([], { jsonl });
      expect(status).to.equal(422);
      expect(body.details.fields[0].message).to.equal(message);
    }
    for (const after of [1, 0]) {
      const { status } = await upload([{ n: 1 }], after ? { after } : { upload_id: 1, after });
      expect(status).to.equal(422);
    }
    const both = await create(platform, seller, { ...json, data: [{ n: 1 }], upload_id: 1 });
    expect(both.body.details.fields[0].pointer).to.equal('/upload_id');
  });

  it('have pages of one version only, and cursors of no other dataset', async () => {
    const make = () => uploaded([[{ n: 0 }], [{ n: 1 }]]);
    const { dataset_id: id } = await offer(platform, seller, { ...json, upload_id: await make() });
    const { next_cursor } = (await page(id, null)).body;
    await rotate(platform, seller, id, { upload_id: await make() });
    expect(refusalOf(await page(id, next_cursor))).to.equal('409 invalid_transition');
    for (const cursor of ['any', Buffer.from('2.9').toString('base64url')]) {
      expect((await page(id, cursor)).status).to.equal(422);
    }
  });

  it('are delivered whole while they are renewed', async () => {
    const { dataset_id: id } = await offer(platform, seller, { data: [{ version: 1 }] });
    let isDone = false;
    const opening = Promise.all(
      [1, 2, 3].map(async () => {
        while (!isDone) {
          const { body, text } = await access(platform, other, id);
          expect(body.data, text).to.deep.equal([{ version: body.version }]);
        }
      }),
    );
    for (let version = 2; version < 22; version += 1) {
      const { status } = await rotate(platform, seller, id, { data: [{ version }] });
      expect(status).to.equal(200);
    }
    isDone = true;
    await opening;
  });

  it('are renewed before they are opened by those who come later', async () => {
    const { dataset_id: id } = await offer(platform, seller, { data: [{ version: 1 }] });
    const reading = `select from dataset where id = ${id} for share`;
    const [renewed, opened] = await inQueue<Reply>(platform, reading, [
      () => rotate(platform, seller, id, { data: [{ version: 2 }] }),
      () => access(platform, other, id),
    ]);
    expect(renewed!.status).to.equal(200);
    expect(opened!.body.data).to.deep.equal([{ version: 2 }]);
  });

  it('are renewed one after the other, though two do it at once', async () => {
    const { dataset_id: id } = await offer(platform, seller);
    const renew = (city: string) => () => rotate(platform, seller, id, { data: [{ city }] });
    const dataset = `select from dataset where id = ${id} for update`;
    const renewed = await inQueue(platform, dataset, [renew('Oslo'), renew('Bergen')]);
    expect(renewed.map(({ body }) => body.version)).to.deep.equal([2, 3]);
    expect((await access(platform, seller, id)).body.data).to.deep.equal([{ city: 'Bergen' }]);
  });

  it('are 256 MB at most of a tree, with its datasets and contents of products', async () => {
    const own = await platform.agent();
    const { id, key } = own;
    const free = await offer(platform, own, { data: [{ n: 1 }] });
    // Makes it an agent that has uploaded very much.
    await platform.query(
      `insert into dataset_upload (upload_id, agent_id, root_id, after, row_count, bytes, content)
       select 1000000 + n, $1::bigint, $1, 0, 1, 16777216, 'x'::bytea from generate_series(1, 15) n
       union all select 2000000, $1, $1, 0, 1, 16777216 - 25, 'x'`,
      [id],
    );
    expect((await upload([{ n: 12345 }], {}, own)).status).to.equal(200);
    const labor = { jsonl: '{"payload": "p"}' };
    for (const refused of [
      await upload([{ n: 12345 }], {}, own),
      await create(platform, own, { data: [{ n: 12345 }] }),
      await create(platform, own, { price: 1, data: [{ n: 12345 }] }),
      await rotate(platform, own, free.dataset_id, { data: [{ n: 12345 }] }),
      await platform.request('POST /api/v1/labor/uploads', { key, body: labor }),
    ]) {
      expect(refusalOf(refused)).to.equal('413 payload_too_large');
      const { bytes_used, bytes_max } = refused.body.details;
      expect(bytes_max).to.equal(256 * 2 ** 20);
      expect(bytes_used).to.be.within(bytes_max - 20, bytes_max);
    }
    const { body } = await create(platform, other, { price: 1, data: [{ n: 12345 }] });
    expect(body.status, 'of another tree').to.equal('active');
    // Sold data is counted like free data.
    await platform.query('delete from dataset_upload where upload_id = 2000000');
    const sold = await create(platform, own, { price: 1, data: [{ n: 'x'.repeat(2_000) }] });
    expect(sold.status).to.equal(200);
    const before = await upload([{ n: 'x' }], {}, own);
    expect(before.status).to.equal(200);
    await platform.query(
      `insert into dataset_upload (upload_id, agent_id, root_id, after, row_count, bytes, content)
       values (2000000, $1, $1, 0, 1, 16777216 - 2000, 'x')`,
      [id],
    );
    expect(refusalOf(await upload([{ n: 'x' }], {}, own))).to.equal('413 payload_too_large');
    await platform.query('delete from dataset_upload where upload_id > 1000000');
  });

  it('have a size as they are sent, in which escapes count', async () => {
    const line = JSON.stringify({ text: '"'.repeat(30_000) });
    const lines = (count: number) => Array.from({ length: count }, () => line).join('\n');
    const send = (jsonl: string) =>
      platform.request('POST /api/v1/datasets/uploads', { key: seller.key, body: { jsonl } });
    expect(lines(3).length, 'characters').to.be.below(200_000);
    const refused = await send(lines(3));
    expect(refusalOf(refused)).to.equal('413 payload_too_large');
    expect(refused.body.details).to.deep.equal({ bytes_max: 256 * 1024 });
    expect(refused.body.message).to.contain('escapes');
    expect((await send(lines(2))).status).to.equal(200);
  });
});
