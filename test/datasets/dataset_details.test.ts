import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { create, offer, rotate } from './offer.ts';

const DATA = [
  { city: 'Oslo', people: 717_710, area: 480.75, coast: true, tags: ['a'], code: 1 },
  { city: 'Bergen', people: 291_940, area: 465, coast: true, tags: { b: 1 }, code: '2' },
  ...Array.from({ length: 8 }, (_, n) => ({ city: `Town ${n}`, secret: `s${n}` })),
];

describe('what is seen of a dataset before it is bought', () => {
  let platform: TestPlatform;
  let seller: { id: number; key: string };
  let other: { id: number; key: string };
  before(async () => {
    platform = await TestPlatform.open();
    [seller, other] = await Promise.all([platform.agent(), platform.agent()]);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const get = (id: number, { key } = other) =>
    platform.request(`GET /api/v1/datasets/${id}`, { key });
  const list = async (query: string): Promise<number[]> => {
    const { status, text, body } = await platform.request(`GET /api/v1/datasets?${query}`, other);
    expect(status, text).to.equal(200);
    return body.datasets.map((one: { dataset_id: number }) => one.dataset_id);
  };

  /** The time by the clock of PostgreSQL, as answers write it. */
  const clock = async (): Promise<string> =>
    (await platform.query('select clock_timestamp() as now'))[0].now.toISOString();

  it('has licence, size, freshness, and columns with types, but no row', async () => {
    const fields = { price: 0.5, data: DATA, licence: ' CC-BY-4.0 ' };
    const before = await clock();
    const { dataset_id: id } = await offer(platform, seller, fields);
    const { body, text } = await get(id);
    expect(body).to.include({ licence: 'CC-BY-4.0', row_count: 10, price: 0.5, version: 1 });
    expect(body.size_bytes).to.equal(Buffer.byteLength(JSON.stringify(DATA)));
    expect(body.updated_at >= before, 'when it was offered').to.equal(true);
    expect(body.updated_at <= (await clock())).to.equal(true);
    expect(body.checked_at >= body.updated_at).to.equal(true);
    expect(body.preview).to.deep.equal({
      untrusted: true,
      columns: [
        { name: 'city', type: 'text' },
        { name: 'people', type: 'integer' },
        { name: 'area', type: 'number' },
        { name: 'coast', type: 'boolean' },
        { name: 'tags', type: 'json' },
        { name: 'code', type: 'json' },
        { name: 'secret', type: 'text' },
      ],
      column_count: 7,
      of_rows: 10,
      rows: [],
    });
    for (const word of ['Oslo', '717710']) expect(text).not.to.contain(word);
  });

  it('has so many first rows as its seller shows, and short ones', async () => {
    const long = [{ text: 'x'.repeat(500), n: null, more: { a: [1] } }, ...DATA];
    const { dataset_id: id } = await offer(platform, seller, { data: long, preview_rows: 2 });
    const { body } = await get(id);
    expect(body.preview.rows).to.have.length(2);
    expect(body.preview.rows[0].slice(0, 4)).to.deep.equal([
      'x'.repeat(200),
      null,
      '{"a":[1]}',
      null,
    ]);
    await rotate(platform, seller, id, { data: DATA });
    const renewed = (await get(id)).body;
    expect([renewed.preview.rows.length, renewed.preview.rows[0][0]]).to.deep.equal([2, 'Oslo']);
    await rotate(platform, seller, id, { data: DATA, preview_rows: 0 });
    expect((await get(id)).body.preview.rows).to.deep.equal([]);
    await rotate(platform, seller, id, { data: DATA, preview: false });
    expect((await get(id, seller)).body.preview).to.equal(null);
    await rotate(platform, seller, id, { data: DATA, preview: true, licence: 'MIT' });
    expect((await get(id)).body.preview.rows).to.deep.equal([]);
    expect((await get(id)).body).to.include({ licence: 'MIT', version: 5 });
  });

  it('has no preview where the seller wants none', async () => {
    const { dataset_id: id } = await offer(platform, seller, { data: DATA, preview: false });
    const { body, text } = await get(id);
    expect(body.preview).to.equal(null);
    expect(text).not.to.contain('secret');
    const [{ stored }] = await platform.query(
      'select count(preview)::int as stored from dataset_version where dataset_id = $1',
      [id],
    );
    expect(stored).to.equal(0);
  });

  it('is refused of what is not on offer', async () => {
    const { dataset_id: id, product_id } = await offer(platform, seller, { price: 1, data: DATA });
    await platform.query('update product set active = false where id = $1', [product_id]);
    expect((await get(id)).status).to.equal(404);
    expect((await get(id, seller)).status).to.equal(200);
    expect((await get(999_999)).status).to.equal(404);
  });

  it('is a preview of rows only', async () => {
    const url = { url: 'https://example.com/a.csv' };
    for (const fields of [
      { type: 'url', url, preview: true },
      { type: 'url', url, preview_rows: 0 },
      { preview: false, preview_rows: 1 },
      { preview_rows: 6 },
      { licence: 'x'.repeat(101) },
      { licence: '' },
    ]) {
      const { status, text } = await create(platform, seller, fields);
      expect(status, text).to.equal(422);
    }
  });

  it('is what a list can be asked for', async () => {
    const licence = 'ODbL-1.0';
    const id = async (fields: object): Promise<number> =>
      (await offer(platform, seller, { data: DATA, ...fields })).dataset_id;
    const few = await id({ licence, data: DATA.slice(0, 2) });
    const many = await id({ licence: 'odbl-1.0' });
    const dear = await id({ licence, price: 2 });
    expect(await list('licence=ODBL-1.0')).to.deep.equal([dear, many, few]);
    expect(await list('licence=ODbL-1.0&min_rows=3')).to.deep.equal([dear, many]);
    expect(await list('licence=ODbL-1.0&max_price=1.99')).to.deep.equal([many, few]);
    expect(await list('licence=ODbL-1.0&max_price=0')).to.deep.equal([many, few]);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(await list(`licence=ODbL-1.0&updated_since=${soon}`)).to.deep.equal([]);
    const { body } = await get(few);
    expect(await list(`licence=ODbL-1.0&updated_since=${body.updated_at}`)).to.include(few);
    await platform.query(
      `update dataset_version set created_at = created_at - interval '1 day' where dataset_id = $1`,
      [few],
    );
    expect(await list(`licence=ODbL-1.0&updated_since=${body.updated_at}`)).not.to.include(few);
    expect(await list('licence=ODbL')).to.deep.equal([]);
    // Its seller has made it cheaper since.
    await platform.query(
      `update product set price = 1000000
        where id = (select product_id from dataset where id = $1)`,
      [dear],
    );
    expect(await list('licence=ODbL-1.0&max_price=1')).to.include(dear);
  });
});
