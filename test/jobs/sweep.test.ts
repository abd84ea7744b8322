import { expect } from 'chai';

import { isAttemptDue, sweep } from '../../shared/jobs/timers/sweep.ts';
import type { Tx } from '../../shared/kernel/tx.ts';
import { transact } from '../../shared/platform/database.ts';
import { TestPlatform } from '../harness.ts';

const ITEMS = [1, 2, 3, 4, 5].map((id) => ({ id }));
const BAD = 3;

describe('a sweep', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  /** Sweeps items, of which one cannot be done. Returns the groups that were attempted too. */
  async function run(operation: string, { items = ITEMS, bad = BAD, code = 'P0001' } = {}) {
    const { database, log } = platform.context;
    return transact(database, async (db) => {
      const groups: number[][] = [];
      const swept = await sweep({ db, log } as Tx, {
        operation,
        items,
        async work(group) {
          const ids = group.map(({ id }) => id);
          groups.push(ids);
          if (!ids.includes(bad)) return;
          await db.query(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`);
        },
      });
      return { ...swept, groups };
    });
  }
  const faultsOf = (operation: string) =>
    platform.query(
      `select row_id::int, attempts, extract(epoch from next_at - failed_at)::int / 60 as minutes
         from sweep_fault where operation = $1`,
      [operation],
    );

  it('does all others where one row fails, and attempts that one alone from then on', async () => {
    expect(await run('one')).to.include({ done: 4, failed: 1 });
    expect(await faultsOf('one')).to.deep.equal([{ row_id: BAD, attempts: 1, minutes: 2 }]);
    const { groups, ...counts } = await run('one');
    expect(counts).to.deep.equal({ done: 4, failed: 1 });
    expect(groups).to.deep.equal([[1, 2], [BAD], [4, 5]]);
    expect(await run('one', { bad: 0 })).to.include({ done: 5, failed: 0 });
    expect(await faultsOf('one')).to.deep.equal([]);
  });

  it('leaves a row that failed alone for 2, 4, 8 … minutes, and after 8 attempts for a day', async () => {
    const minutes: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      await run('bad', { items: [{ id: BAD }] });
      minutes.push((await faultsOf('bad'))[0].minutes);
    }
    expect(minutes).to.deep.equal([2, 4, 8, 16, 32, 64, 128, 1_440, 1_440]);
    const due = () =>
      platform.query(
        `select id from unnest(array [2, 3]) as item(id) where ${isAttemptDue('bad', 'item.id')}`,
      );
    expect(await due()).to.deep.equal([{ id: 2 }]);
    await platform.query(`update sweep_fault set next_at = now() where operation = 'bad'`);
    expect(await due()).to.deep.equal([{ id: 2 }, { id: BAD }]);
  });

  it('counts no conflict as a fault of a row', async () => {
    const conflict = await run('crossed', { code: '40P01' }).catch((error: unknown) => error);
    expect(conflict).to.include({ code: '40P01' });
    expect(await faultsOf('crossed')).to.deep.equal([]);
  });
});
