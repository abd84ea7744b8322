import { expect } from 'chai';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { walletsOf } from '../orders/deal.ts';
import { buy } from '../orders/trade.ts';
import { create, offer, rotate } from './offer.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

const ENDINGS = ['jsonl', 'csv', 'parquet'] as const;

describe('rows of a dataset as files', () => {
  let platform: TestPlatform;
  let seller: Agent;
  before(async () => {
    platform = await TestPlatform.open();
    seller = await platform.agent();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  async function file(
    id: number,
    ending: string,
    { key }: { key?: string } = seller,
    headers: Record<string, string> = {},
  ) {
    const reply = await fetch(`${platform.url}/api/v1/datasets/${id}/rows.${ending}`, {
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    return { status: reply.status, headers: reply.headers, bytes, text: bytes.toString() };
  }
  const given = async (data: readonly object[]): Promise<number> =>
    (await offer(platform, seller, { data })).dataset_id;
  /** A free dataset of these rows, which are uploaded in parts. */
  async function uploaded(parts: readonly (readonly object[])[]): Promise<number> {
    let upload: { upload_id?: number; row_count: number } = { row_count: 0 };
    for (const part of parts) {
      const { status, text, body } = await platform.request('POST /api/v1/datasets/uploads', {
        key: seller.key,
        body: {
          jsonl: part.map((row) => JSON.stringify(row)).join('\n'),
          ...(upload.upload_id && { upload_id: upload.upload_id, after: upload.row_count }),
        },
      });
      expect(status, text).to.equal(200);
      upload = body;
    }
    const { body } = await create(platform, seller, { type: 'json', upload_id: upload.upload_id });
    return body.dataset_id;
  }
  const parquetOf = async (bytes: Buffer) => {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const types = parquetMetadata(file as ArrayBuffer)
      .schema.slice(1)
      .map(({ name, type }) => [name, type]);
    const rows = await parquetReadObjects({ file: file as ArrayBuffer });
    return { types: Object.fromEntries(types), rows };
  };

  it('are JSONL, byte for byte as they were sent', async () => {
    const lines = [
      '{"b":"1610521604143693812","a":1610521604143694000,"c":0.1,"d":1e-7,"e":-5}',
      '{"text":"Ålesund \u2028 \\u202e\\"\\n","nested":{"z":[1,null,true],"__proto__":{}}}',
      '{"f":{}}',
    ];
    const body = { jsonl: lines.join('\n') };
    const sent = await platform.request('POST /api/v1/datasets/uploads', { key: seller.key, body });
    const { upload_id } = sent.body;
    const { dataset_id: id } = (await create(platform, seller, { type: 'json', upload_id })).body;
    const { status, headers, text } = await file(id, 'jsonl');
    expect(status).to.equal(200);
    const stored = lines.map((line) => line.replace('\\u202e', '\u202e'));
    expect(text).to.equal(`${stored.join('\n')}\n`);
    expect(headers.get('content-type')).to.match(/^application\/jsonl/);
    expect(headers.get('content-disposition')).to.include(`filename="dataset-${id}-v1.jsonl"`);
    expect(Number(headers.get('content-length'))).to.equal(Buffer.byteLength(text));
    const { body: rows } = await platform.request(`GET /api/v1/datasets/${id}/rows`, seller);
    expect(headers.get('etag')).to.equal(`"${rows.sha256}"`);
    expect(rows).to.include({ size_bytes: Buffer.byteLength(text), row_count: 3, version: 1 });
    expect(rows.files).to.deep.equal(
      ENDINGS.map((ending) => `/api/v1/datasets/${id}/rows.${ending}`),
    );
  });

  it('are CSV of which no text is a formula', async () => {
    const id = await given([
      { name: '=1+1', n: -5, tiny: 1e-7 },
      { name: 'a, "b"', n: 0.1234567891, more: { x: [1] }, yes: true },
      { name: '', '@x': null },
    ]);
    const { text } = await file(id, 'csv');
    expect(text.split('\r\n')).to.deep.equal([
      "name,n,tiny,more,yes,'@x",
      "'=1+1,-5,1e-7,,,",
      '"a, ""b""",0.1234567891,,"{""x"":[1]}",true,',
      '"",,,,,',
      '',
    ]);
  });

  it('are Parquet with a type for each column that has one', async () => {
    const data = [
      { id: 1610521604143694000, price: 1, name: 'a', ok: true, mixed: 1, some: null, deep: [1] },
      { id: -2, price: 0.5, name: 'Å', ok: false, mixed: '1', deep: { b: 'c' }, late: 1e300 },
    ];
    const id = await given(data);
    const { rows, types } = await parquetOf((await file(id, 'parquet')).bytes);
    expect(types).to.deep.equal({
      id: 'INT64',
      price: 'DOUBLE',
      name: 'BYTE_ARRAY',
      ok: 'BOOLEAN',
      mixed: 'BYTE_ARRAY',
      some: 'BYTE_ARRAY',
      deep: 'BYTE_ARRAY',
      late: 'DOUBLE',
    });
    const found = rows.map((row) =>
      Object.values(row).map((value) =>
        typeof value === 'bigint' ? `${value}n` : (value ?? null),
      ),
    );
    expect(found).to.deep.equal([
      ['1610521604143694000n', 1, 'a', true, '1', null, '[1]', null],
      ['-2n', 0.5, 'Å', false, '"1"', null, '{"b":"c"}', 1e300],
    ]);
  });

  it('of many parts are the same in all forms', async () => {
    const row = (n: number) => ({ n, city: `${'Ø'.repeat(50)} ${n}`, at: n / 3 });
    const parts = Array.from({ length: 30 }, (_, part) =>
      Array.from({ length: 1_000 }, (__, n) => row(part * 1_000 + n)),
    );
    const id = await uploaded(parts);
    const all = parts.flat();
    const jsonl = await file(id, 'jsonl');
    expect(jsonl.text).to.equal(all.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const lines = (await file(id, 'csv')).text.split('\r\n');
    expect(lines).to.have.length(30_002);
    expect(lines[30_000]).to.equal(`29999,${row(29_999).city},${29_999 / 3}`);
    const { rows } = await parquetOf((await file(id, 'parquet')).bytes);
    expect(rows).to.have.length(30_000);
    expect({ ...rows[29_999], n: 29_999 }).to.deep.equal(row(29_999));
  });

  it('go on after a break, and not with other rows', async () => {
    const id = await given(Array.from({ length: 400 }, (_, n) => ({ n, name: `Row ${n}` })));
    for (const ending of ENDINGS) {
      const whole = await file(id, ending);
      expect(whole.headers.get('accept-ranges')).to.equal('bytes');
      const etag = whole.headers.get('etag')!;
      const size = whole.bytes.length;
      const part = async (range: string, more: Record<string, string> = {}) =>
        file(id, ending, seller, { range, ...more });
      const rest = await part('bytes=1000-', { 'if-range': etag });
      expect(rest.status).to.equal(206);
      expect(rest.headers.get('content-range')).to.equal(`bytes 1000-${size - 1}/${size}`);
      expect(rest.bytes.equals(whole.bytes.subarray(1000))).to.equal(true);
      const middle = await part('bytes=10-19');
      expect(middle.bytes.equals(whole.bytes.subarray(10, 20))).to.equal(true);
      const end = await part('bytes=-7');
      expect(end.bytes.equals(whole.bytes.subarray(-7))).to.equal(true);
      expect((await part('bytes=0-1,4-5')).status, 'several parts are all').to.equal(200);
      const beyond = await part(`bytes=${size}-`);
      expect(beyond.status).to.equal(416);
      expect(beyond.headers.get('content-range')).to.equal(`bytes */${size}`);
      expect(JSON.parse(beyond.text).error).to.equal('range_not_satisfiable');
      expect((await file(id, ending, seller, { 'if-none-match': etag })).status).to.equal(304);
      expect((await part('bytes=10-', { 'if-range': '"other"' })).bytes.length).to.equal(size);
    }
    const before = (await file(id, 'csv')).headers.get('etag')!;
    await rotate(platform, seller, id, { data: [{ n: 1 }] });
    const changed = await file(id, 'csv', seller, { range: 'bytes=2-', 'if-range': before });
    expect([changed.status, changed.text]).to.deep.equal([200, 'n\r\n1\r\n']);
  });

  const openingsOf = async (id: number, agent: Agent): Promise<number> => {
    const [{ count }] = await platform.query(
      `select count(*)::int as count from opening
        where object_kind = 'dataset' and object_id = $1 and agent_id = $2`,
      [id, agent.id],
    );
    return count;
  };

  it('are for those with access, and count as one', async () => {
    const { dataset_id: id, product_id } = await offer(platform, seller, { price: 0.1 });
    const buyer = await platform.agent({ usd: 5 });
    const before = await walletsOf(platform, seller, buyer);
    for (const ending of ENDINGS) {
      expect((await file(id, ending, {})).status).to.equal(401);
      const refused = await file(id, ending, buyer);
      expect([refused.status, JSON.parse(refused.text).error]).to.deep.equal([403, 'forbidden']);
      expect((await file(999_999, ending, buyer)).status).to.equal(404);
    }
    expect((await file(id, 'jsonl?version=x', buyer)).status).to.equal(422);
    expect(await walletsOf(platform, seller, buyer)).to.deep.equal(before);
    const order = await buy(platform, buyer, { id: product_id });
    const headers = { authorization: `Bearer ${buyer.key}` };
    const url = `${platform.url}/api/v1/datasets/${id}/rows`;
    expect((await fetch(url, { headers })).status, 'the list of files').to.equal(200);
    const head = await fetch(`${url}.parquet`, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
    expect(Number(head.headers.get('content-length'))).to.be.above(100);
    const none = { 'if-none-match': head.headers.get('etag')! };
    expect((await file(id, 'parquet', buyer, none)).status).to.equal(304);
    expect((await file(id, 'csv', buyer, { range: 'bytes=99999-' })).status).to.equal(416);
    expect(await openingsOf(id, buyer), 'no byte of it was sent').to.equal(0);
    expect((await file(id, 'csv', buyer)).text).to.match(/^city,people\r\nOslo/);
    expect(await openingsOf(id, buyer)).to.equal(1);
    const returned = await platform.request(`POST /api/v1/orders/${order}/refund`, buyer);
    expect(returned.body.error, 'it was opened').to.equal('invalid_transition');
    await rotate(platform, seller, id, { data: [{ is: 'new' }] });
    expect((await file(id, 'jsonl', buyer)).text, 'what was bought').to.contain('Oslo');
    expect((await file(id, 'jsonl?version=2', buyer)).text).to.equal('{"is":"new"}\n');
    await platform.request(`POST /api/v1/orders/${order}/refund`, seller);
    expect((await file(id, 'csv', buyer)).status).to.equal(403);
  });

  it('are none of a link', async () => {
    const [{ id }] = await platform.query(
      `with made as (
         insert into dataset (seller_id, root_id, title, description, type, price, release_hours,
                              version)
         values ($1, $1, 'A link', 'To a file.', 'url', 0, 72, 1) returning id)
       insert into dataset_version (dataset_id, version, status, checked_at)
       select id, 1, 'active', now() from made returning dataset_id as id`,
      [seller.id],
    );
    await platform.query(
      `insert into dataset_part (dataset_id, version, part, content) values ($1, 1, 0, '')`,
      [id],
    );
    const { status, text } = await file(Number(id), 'csv');
    expect([status, JSON.parse(text).error]).to.deep.equal([409, 'invalid_transition']);
  });
});
