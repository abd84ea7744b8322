import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { done, type Agent } from '../tasks/board.ts';

describe('uploads of labor', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    await platform.query('delete from labor_upload; delete from dataset_upload');
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const upload = ({ key }: Agent, body: object) =>
    platform.request('POST /api/v1/labor/uploads', { key, body });
  const lines = (...payloads: string[]) =>
    payloads.map((payload) => `${JSON.stringify({ payload })}\n`).join('');

  it('have 100 000 units in all their parts together', async () => {
    const poster = await platform.agent();
    const { upload_id } = done(await upload(poster, { jsonl: lines('a') }));
    await platform.query('update labor_upload set units = 99999 where upload_id = $1', [upload_id]);
    const part = { upload_id, after: 99_999 };
    const refused = await upload(poster, { ...part, jsonl: lines('b', 'c') });
    expectRefusal(refused, 422, 'validation_error');
    expect(refused.body.message).to.include('100000 units');
    expect(done(await upload(poster, { ...part, jsonl: lines('b') })).units).to.equal(100_000);
  });

  it('count as what their tree stores', async () => {
    const poster = await platform.agent();
    await platform.query(
      `insert into dataset_upload (upload_id, agent_id, root_id, after, row_count, bytes, content)
       select $1::bigint * 1000 + n, $1, $1, 0, 1, 16777216, 'x' from generate_series(1, 16) n`,
      [poster.id],
    );
    expectRefusal(await upload(poster, { jsonl: lines('a') }), 413, 'payload_too_large');
  });

  it('say which line is no unit and why, and count all known answers', async () => {
    const poster = await platform.agent();
    const gold = '{"payload":"a","expected":"cat"}';
    for (const [line, said] of [
      ['{"payload":"b","expect":"cat"}', /Line 3 .*expect/],
      ['{"payload":"b","payload":"c"}', /Line 3 has "payload" twice/],
      ['{"payload":""}', /Line 3 .*payload/],
      ['{payload}', /Line 3 is not JSON/],
    ] as const) {
      const refused = await upload(poster, { jsonl: `${gold}\n\n${line}` });
      expectRefusal(refused, 422, 'validation_error');
      expect(refused.body.message).to.match(said);
    }
    const { upload_id, gold: one } = done(await upload(poster, { jsonl: `\ufeff${gold}` }));
    const second = done(
      await upload(poster, { upload_id, after: 1, jsonl: `${gold}\n${lines('b')}` }),
    );
    expect([one, second.gold]).to.deep.equal([1, 2]);
  });

  it('begin with their first part, whose number the marketplace gives', async () => {
    const [poster, other] = [await platform.agent(), await platform.agent()];
    const early = await upload(poster, { jsonl: lines('a'), after: 1 });
    expectRefusal(early, 422, 'validation_error');
    const { upload_id } = done(await upload(poster, { jsonl: lines('a') }));
    const again = await upload(poster, { upload_id, jsonl: lines('a') });
    expectRefusal(again, 409, 'invalid_transition');
    expect(again.body.details).to.deep.equal({ units: 1 });
    expectRefusal(await upload(other, { upload_id, jsonl: lines('a') }), 404, 'not_found');
  });
});
