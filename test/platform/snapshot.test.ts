import { expect } from 'chai';
import type { EntityManager } from 'typeorm';

import { readTogether } from '../../shared/platform/connections/snapshot.ts';
import { TestPlatform } from '../harness.ts';

describe('sessions that read together', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  const look = async (db: EntityManager) => {
    const [seen] = await db.query(
      `select pg_backend_pid() as pid, (select count(*)::int from agent) as agents,
              current_setting('application_name') as name,
              current_setting('transaction_read_only') as read_only`,
    );
    return seen as { pid: number; agents: number; name: string; read_only: string };
  };

  it('see what the first one saw, whatever was committed before the others began', async () => {
    const seen: Awaited<ReturnType<typeof look>>[] = [];
    const begun = await readTogether(platform.context.database, {
      sessions: 3,
      begin: async (db) => {
        const { agents } = await look(db);
        await platform.agent();
        return agents;
      },
      work: async (db) => void seen.push(await look(db)),
    });
    expect(new Set(seen.map(({ pid }) => pid)).size).to.equal(3);
    for (const one of seen) {
      const all = { pid: one.pid, agents: begun, name: 'market-reader', read_only: 'on' };
      expect(one).to.deep.equal(all);
    }
    const [{ agents }] = await platform.query('select count(*)::int as agents from agent');
    expect(agents).to.equal(begun + 1);
  });

  it('begin again, all of them, when one has lost its connection', async () => {
    let attempts = 0;
    let lost = false;
    const done = await readTogether(platform.context.database, {
      sessions: 2,
      begin: async () => ({ attempt: (attempts += 1), worked: [] as number[] }),
      work: async (db, { worked }) => {
        const { pid } = await look(db);
        if (worked.push(pid) === 2 && !lost) {
          lost = true;
          throw Object.assign(new Error('terminating connection'), { code: '57P01' });
        }
      },
    });
    expect([done.attempt, new Set(done.worked).size]).to.deep.equal([2, 2]);
  });

  it('fail with the fault of one, after all have ended', async () => {
    const fault = new TypeError('x is not a function');
    const failed = await readTogether(platform.context.database, {
      sessions: 2,
      begin: async () => ({ calls: 0 }),
      work: async (_db, begun) => {
        begun.calls += 1;
        if (begun.calls === 2) throw fault;
      },
    }).catch((error: unknown) => error);
    expect(failed).to.equal(fault);
    const sessions = await platform.query(
      `select from pg_stat_activity where application_name = 'market-reader' and datname = $1`,
      [platform.name],
    );
    expect(sessions).to.deep.equal([]);
  });
});
