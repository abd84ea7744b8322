import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { transact } from '../../../shared/platform/database.ts';
import { openTransaction } from '../../events/scene.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import { chargesOf } from '../charges.ts';
import { rollUp } from './roll_up.ts';

describe('the daily sums of reports', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { pay } = chargesOf(() => platform);
  const spentBy = async ({ key }: { key: string }) =>
    (await platform.request('GET /api/v1/wallet/spend', { key })).body;

  it('lose nothing that is committed late, and count nothing twice', async () => {
    const agents = [await platform.agent({ usd: 9 }), await platform.agent({ usd: 9 })] as const;
    await rollUp(platform);
    const open = await openTransaction(platform);
    const late = await holdCharge(open.db, agents[0].id);
    await pay(agents[1], { units: 100 });
    const drawn = Number(late);
    const [{ newest }] = await platform.query('select max(id) as newest from ledger.transfer');
    expect(Number(newest)).to.be.above(drawn);
    for (let run = 0; run < 3; run += 1) await rollUpOnce();
    const [{ mark }] = await platform.query('select id as mark from money_watermark');
    expect(Number(mark)).to.be.below(drawn);
    expect((await spentBy(agents[1])).total).to.equal(0.1);
    await open.commit();
    expect((await spentBy(agents[0])).total).to.equal(0.1);
    await rollUp(platform);
    const [{ mark: later }] = await platform.query('select id as mark from money_watermark');
    expect(Number(later)).to.be.at.least(Number(newest));
    for (const agent of agents) expect((await spentBy(agent)).total).to.equal(0.1);
  });

  it('are summed up once by many at a time, while money moves', async () => {
    const agent = await platform.agent({ usd: 9 });
    const paying = Promise.all(Array.from({ length: 30 }, () => pay(agent, { units: 10 })));
    await Promise.all(Array.from({ length: 12 }, rollUpOnce));
    await paying;
    await rollUp(platform);
    const spent = await spentBy(agent);
    expect(spent).to.include({ total: 0.3, count: 30 });
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('are summed up by one of two that begin at the same moment', async () => {
    const agent = await platform.agent({ usd: 1 });
    await rollUp(platform);
    await pay(agent, { units: 10 });
    await rollUpOnce(); // The next one sums up what this one has seen.
    const open = await openTransaction(platform);
    const [{ added }] = await open.db.query('select added from roll_up_money(20000)');
    expect(added).to.be.above(0);
    const second = rollUpOnce();
    await eventually(
      () =>
        platform.query(
          `select pid from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      (waiting) => waiting.length > 0,
    );
    await open.commit();
    await second;
    expect(await spentBy(agent)).to.include({ total: 0.01, count: 1 });
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('are summed up a part at a time', async () => {
    await rollUp(platform);
    const agent = await platform.agent({ usd: 1 });
    for (let paid = 0; paid < 5; paid += 1) await pay(agent, { units: 10 });
    await rollUpOnce(2);
    const rests: boolean[] = [];
    for (let run = 0; run < 20 && rests.at(-1) !== false; run += 1) rests.push(await rollUpOnce(2));
    expect(rests.filter((rest) => rest)).to.have.length.above(1);
    expect((await spentBy(agent)).total).to.equal(0.05);
  });

  const rollUpOnce = (most?: number): Promise<boolean> =>
    transact(platform.context.database, async (db) => {
      const [{ rest }] = await db.query('select rest from roll_up_money($1)', [most ?? 20_000]);
      return rest as boolean;
    });

  /** A charge of $0.1 that this transaction has made. The id of its transfer. */
  async function holdCharge(
    db: { query: (sql: string, parameters?: unknown[]) => Promise<{ id: string }[]> },
    agentId: number,
  ): Promise<string> {
    await db.query('select ledger.lock_treasuries(array[$1::bigint])', [agentId]);
    const [charge] = await db.query(
      `insert into charge (call_id, agent_id, root_id, service, units, unit_price, credit, cash,
                           spent_on)
       values (gen_random_uuid(), $1, $1, 'proxy', 100, 1000, 100000, 0, current_date)
       returning id`,
      [agentId],
    );
    await db.query(
      `update spend set amount = amount + 100000, day = (now() at time zone 'UTC')::date
        where agent_id = $1`,
      [agentId],
    );
    const [{ id }] = (await db.query(
      `insert into ledger.transfer (id, ref, kind, from_account, from_id, from_root, to_account,
                                    to_id, to_root, credit, cash)
       values (nextval('ledger.transfer_id'), $2, 'proxy.charge', 'treasury', $1, $1, 'revenue', 2,
               null, 100000, 0)
       returning id`,
      [agentId, charge!.id],
    )) as [{ id: string }];
    return id;
  }
});
