import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { access, checked, offer, rotate, ROWS } from './offer.ts';

describe('events of accesses to a dataset', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  type Agent = Awaited<ReturnType<TestPlatform['agent']>>;

  /** Numbers of accesses in the events of an agent's own feed. */
  async function told({ key }: Agent, id: number): Promise<[by: number, accesses: number][]> {
    const { body } = await platform.request('GET /api/v1/events?limit=100', { key });
    return body.events
      .filter(
        ({ type, object }: { type: string; object: { id: number } }) =>
          type === 'dataset.accessed' && object.id === id,
      )
      .map(({ data }: { data: { accessed_by: number; accesses: number } }) => [
        data.accessed_by,
        data.accesses,
      ]);
  }
  const openings = async (id: number): Promise<number> =>
    (
      await platform.query(`select from opening where object_kind = 'dataset' and object_id = $1`, [
        id,
      ])
    ).length;

  it('count a tree of agents: one for the first, the tenth and so on, also of many at once', async () => {
    const [seller, reader, other] = [
      await platform.agent(),
      await platform.agent(),
      await platform.agent(),
    ];
    const { dataset_id: id } = await offer(platform, seller);
    const tree = [reader, await childOf(platform, reader), await childOf(platform, reader)];
    const opened = await Promise.all(
      Array.from({ length: 24 }, (_, n) => access(platform, tree[n % 3]!, id)),
    );
    expect(new Set(opened.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(await openings(id), 'each is recorded').to.equal(24);
    expect((await told(seller, id)).map(([, accesses]) => accesses)).to.deep.equal([1, 10]);

    // Whoever reaches it silences itself and nobody else.
    await access(platform, other, id);
    expect((await told(seller, id)).at(-1)).to.deep.equal([other.id, 1]);
    expect(await told(other, id)).to.deep.equal([[other.id, 1]]);
  });

  it('begin anew with each hour, each version and each dataset', async () => {
    const [seller, reader] = [await platform.agent(), await platform.agent()];
    const { dataset_id: id } = await offer(platform, seller);
    const { dataset_id: second } = await offer(platform, seller);
    for (const _ of [1, 2, 3]) await access(platform, reader, id);
    expect(await told(seller, id)).to.deep.equal([[reader.id, 1]]);
    await access(platform, reader, second);
    expect(await told(seller, second)).to.deep.equal([[reader.id, 1]]);

    await platform.query(
      `update limit_window set resets_at = clock_timestamp() where kind = 'dataset_accesses'`,
    );
    for (const _ of [1, 2]) await access(platform, reader, id);
    expect(await told(seller, id)).to.deep.equal([
      [reader.id, 1],
      [reader.id, 1],
    ]);
    await rotate(platform, seller, id, { data: ROWS.slice(1) });
    await checked(platform, seller, id);
    expect((await access(platform, reader, id)).body.version).to.equal(2);
    expect(await told(reader, id)).to.have.length(3);
  });

  it('are none of what was refused', async () => {
    const [seller, reader] = [await platform.agent(), await platform.agent()];
    const { dataset_id: id } = await offer(platform, seller, { price: 2 });
    for (const _ of [1, 2]) expect((await access(platform, reader, id)).status).to.equal(403);
    expect(await told(seller, id)).to.deep.equal([]);
    expect(
      await platform.query(
        `select used from limit_window where kind = 'dataset_accesses' and holder like $1`,
        [`tree ${reader.id} %`],
      ),
    ).to.deep.equal([]);
  });
});
