import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { openKeyUse } from '../../shared/domains/agents/key_use.ts';
import { eventually, TestPlatform } from '../harness.ts';

describe('keys', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** The id of a key that nobody has used. */
  async function newKey(): Promise<number> {
    const { key } = await platform.agent();
    const body = { scopes: ['read'] };
    return (await platform.request('POST /api/v1/agent/keys', { key, body })).body.key_id;
  }

  it('show in which hour they were used, by one write for all calls of that hour', async () => {
    const ids = await Promise.all([newKey(), newKey(), newKey()]);
    const used = ids.slice(0, 2);
    let writes = 0;
    const use = openKeyUse({
      query(sql: string, parameters?: unknown[]) {
        writes += 1;
        return platform.query(sql, parameters);
      },
    });
    const noteAll = () => {
      for (const id of used) for (let n = 0; n < 100; n += 1) use.note(id);
    };
    const hour = async (keyId: number) =>
      (
        await platform.query('select last_used_at from api_key where id = $1', [keyId])
      )[0].last_used_at?.toISOString();
    noteAll();
    await use.write(new Date('2030-01-01T10:59:59Z'));
    noteAll();
    await use.write(new Date('2030-01-01T10:59:59Z'));
    expect(writes).to.equal(1);
    expect(await Promise.all(ids.map(hour))).to.eql([
      '2030-01-01T10:00:00.000Z',
      '2030-01-01T10:00:00.000Z',
      undefined,
    ]);

    await use.write(new Date('2030-01-01T11:00:01Z'));
    use.note(used[0]!);
    await use.write(new Date('2030-01-01T11:00:01Z'));
    expect(writes).to.equal(2);
    expect(await hour(used[0]!)).to.equal('2030-01-01T11:00:00.000Z');

    const slower = openKeyUse(platform.context.database); // that of another process
    slower.note(used[0]!);
    await slower.write(new Date('2030-01-01T10:59:59Z'));
    expect(await hour(used[0]!)).to.equal('2030-01-01T11:00:00.000Z');
  });

  it('show their use although a call holds them at that moment', async () => {
    const id = await newKey();
    const use = openKeyUse(platform.context.database);
    const write = () => use.write(new Date('2030-01-01T10:00:00Z'));
    const noted = 'select from api_key where id = $1 and last_used_at is not null';
    const call = platform.context.database.createQueryRunner();
    try {
      await call.query('start transaction');
      await call.query('select from api_key where id = $1 for share', [id]);
      use.note(id);
      await write();
      expect(await platform.query(noted, [id])).to.have.length(0);
    } finally {
      await call.query('rollback');
      await call.release();
    }
    await write();
    expect(await platform.query(noted, [id])).to.have.length(1);
  });

  it('show their use in list_keys', async () => {
    const { key } = await platform.agent();
    const list = () => platform.request('GET /api/v1/agent/keys', { key });
    const { body } = await eventually(list, (reply) => reply.body.keys[0].last_used_at !== null);
    const usedMs = Date.parse(body.keys[0].last_used_at);
    expect(usedMs % 3_600_000).to.equal(0);
    expect(Date.now() - usedMs).to.be.below(2 * 3_600_000);
  });
});
