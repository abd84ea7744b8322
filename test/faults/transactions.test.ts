import { expect } from 'chai';

import { databaseOf, transact } from '../../shared/platform/database.ts';
import { insertJobs, lowestJobId, newJobId } from '../../shared/jobs/jobs.ts';
import { admin } from './children.ts';
import { openJoiningRelay } from './joining_relay.ts';
import { TestPlatform, eventually } from '../harness.ts';
import { untilWaiting } from '../in_queue.ts';

describe('a transaction', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  it('runs once more when its connection is lost between two statements', async () => {
    const pids: number[] = [];
    const two = await transact(platform.context.database, async (db) => {
      const [{ pid }] = await db.query('select pg_backend_pid() as pid');
      pids.push(pid);
      if (pids.length === 1) {
        await admin(platform, 'select pg_terminate_backend($1)', [pid]);
        await eventually(
          () => admin(platform, 'select from pg_stat_activity where pid = $1', [pid]),
          (rows) => rows.length === 0,
        );
        // By then the driver knows it, and no statement is in flight that could report it.
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return (await db.query('select 1 + 1 as two'))[0].two as number;
    });
    expect(two).to.equal(2);
    expect(pids).to.have.length(2);
  });

  it('runs once more when its new connection is lost before anybody listens to it', async () => {
    const url = new URL(platform.config.databaseUrl);
    const to = { host: url.hostname, port: Number(url.port) };
    const relay = await openJoiningRelay(to, (port) =>
      admin(
        platform,
        'select pg_terminate_backend(pid) from pg_stat_activity where client_port = $1',
        [port],
      ),
    );
    url.port = String(relay.port);
    const database = await databaseOf(url.href, 2).initialize();
    const other = database.createQueryRunner();
    await other.query('select'); // It has the only connection that is open.
    relay.joinNext();
    const two = await transact(
      database,
      async (db) => (await db.query('select 1 + 1 as two'))[0].two,
    );
    expect([two, relay.joined]).to.deep.equal([2, 1]);
    await other.release();
    await database.destroy();
    relay.close();
  });

  it('records calls in the order of their keys, whatever the order they arrive in', async () => {
    const { secrets, database, clock } = platform.context;
    const { hash } = secrets.hash('test', 'input');
    const call = { operation: 'nothing', agentId: 8, rootId: 8, input: {}, hash, requestId: 'r' };
    const jobOf = (key: string) => ({ ...call, id: newJobId(clock.now()), key });
    const batch = [jobOf('z'), jobOf('a')];
    let recorded: ReturnType<typeof insertJobs> | undefined;
    await transact(database, async (db) => {
      await insertJobs(db, [jobOf('a')]);
      recorded = insertJobs(database, batch);
      await untilWaiting(platform, 1);
      // The batch waits for its first key, and has not recorded the other.
      expect((await insertJobs(database, [jobOf('z')])).size).to.equal(1);
    });
    expect((await recorded!).size).to.equal(0);
  });

  it('does not deadlock with another that records the same keys in another order', async () => {
    const { secrets, database, clock } = platform.context;
    const { hash } = secrets.hash('test', 'input');
    const batchOf = (keys: string[]) =>
      keys.map((key) => ({
        id: newJobId(clock.now()),
        operation: 'nothing',
        agentId: 7,
        rootId: 7,
        input: {},
        hash,
        requestId: 'r',
        key,
      }));
    for (let round = 0; round < 20; round += 1) {
      const keys = Array.from({ length: 64 }, (_, n) => `${round}-${n}`);
      const inserted = await Promise.all([
        insertJobs(database, batchOf(keys)),
        insertJobs(database, batchOf(keys.toReversed())),
        insertJobs(database, batchOf(keys)),
      ]);
      expect(inserted.reduce((sum, { size }) => sum + size, 0)).to.equal(64);
    }
  });

  it('records by its time what arrives late, and as due now what was due before', async () => {
    const { secrets, database, clock } = platform.context;
    const { hash } = secrets.hash('test', 'input');
    const job = { operation: 'nothing', agentId: 0, rootId: 0, input: {}, hash, requestId: 'late' };
    const ago = (ms: number) => new Date(clock.now().getTime() - ms);
    await insertJobs(database, [
      { ...job, id: newJobId(clock.now()) },
      { ...job, id: lowestJobId(ago(60_000)) },
      { ...job, id: newJobId(clock.now()), runAt: ago(60_000) },
    ]);
    const rows = await platform.query(
      `select run_at is null as by_id, run_at > now() - interval '50 s' as by_time from job
        where request_id = 'late' order by by_id, by_time`,
    );
    const byTime = { by_id: false, by_time: true };
    expect(rows).to.deep.equal([byTime, byTime, { by_id: true, by_time: null }]);
  });
});
