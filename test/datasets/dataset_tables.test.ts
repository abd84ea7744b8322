import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import type { Agent } from '../tasks/board.ts';
import { offer } from './offer.ts';

describe('rows of a dataset as tables', () => {
  let platform: TestPlatform;
  let seller: Agent;
  before(async () => {
    platform = await TestPlatform.open();
    seller = await platform.agent();
  });
  after(() => platform.close());

  const given = async (data: readonly object[]): Promise<number> =>
    (await offer(platform, seller, { data })).dataset_id;
  async function file(id: number, ending: string) {
    const headers = { authorization: `Bearer ${seller.key}` };
    const reply = await fetch(`${platform.url}/api/v1/datasets/${id}/rows.${ending}`, { headers });
    return { status: reply.status, text: await reply.text() };
  }

  it('have a line a row in CSV, also where a column has nothing', async () => {
    const id = await given([{ a: null }, { a: 1 }, { a: '' }]);
    expect((await file(id, 'csv')).text).to.equal('a\r\n""\r\n1\r\n""\r\n');
  });

  it('that are no table are JSONL only', async () => {
    const wide = Array.from({ length: 1_001 }, (_, n) => ({ [`name ${n}`]: n }));
    for (const data of [wide, Array.from({ length: 5_000 }, (_, n) => ({ [`n${n % 900}`]: 1 }))]) {
      const id = await given(data);
      const isTable = data.length === 5_000 && data.length * 900 <= 4_000_000;
      for (const ending of ['csv', 'parquet']) {
        const { status, text } = await file(id, ending);
        expect(status, text).to.equal(isTable ? 200 : 409);
      }
      expect((await file(id, 'jsonl')).status).to.equal(200);
    }
  });
});
