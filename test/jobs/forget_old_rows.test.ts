import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { ROWS_MAX } from '../../shared/domains/jobs/forget_old_rows.ts';
import { asOwner } from '../as_owner.ts';
import { TestPlatform } from '../harness.ts';
import { buy, meet, runTimer } from '../orders/trade.ts';

const TIMER = 'forget_old_rows';

describe('forget_old_rows', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** Ids in a table, which are the age in days that the test gave them. */
  const idsOf = async (table: string, id = 'id'): Promise<number[]> =>
    (await platform.query(`select ${id} as id from ${table} order by 1`)).map(
      (row: { id: unknown }) => Number(row.id),
    );

  it('deletes events after 30 days, and no younger ones', async () => {
    await platform.query(
      `insert into event (agent_id, root_id, type, object_kind, object_id, status, data, occurred_at)
       select 0, 0, 'test', 'test', age, 'test', '{}', now() - make_interval(hours => age)
         from unnest(array [24 * 40, 24 * 30 + 1, 24 * 30 - 1, 1]) age`,
    );
    await runTimer(platform, TIMER);
    const ages = `select object_id::int as age from event where type = 'test' order by id`;
    expect((await platform.query(ages)).map(({ age }: { age: number }) => age)).to.deep.equal([
      24 * 30 - 1,
      1,
    ]);
  });

  it('deletes what was used of limits when its window is over, and not before', async () => {
    await platform.query(
      `insert into limit_window (kind, holder, used, resets_at)
       select 'test', n, 1, now() + make_interval(secs => n) from unnest(array [-1, 3600]) n`,
    );
    await runTimer(platform, TIMER);
    expect(await idsOf('limit_window', 'holder::int')).to.deep.equal([3_600]);
  });

  it('deletes deliveries 3 days after they ended, and others after 30 days', async () => {
    await platform.query(
      `insert into webhook_delivery
         (webhook_id, event_id, status, attempts, attempted_at, next_at, created_at)
       select 1, hours, status, 1, now() - make_interval(hours => hours),
              case when status = 'waiting' then now() end, now() - make_interval(hours => hours)
         from (values ('waiting', 721), ('waiting', 719), ('arrived', 73), ('given_up', 74),
                      ('arrived', 71)) as delivery(status, hours)`,
    );
    await runTimer(platform, TIMER);
    expect(await idsOf('webhook_delivery', 'event_id')).to.deep.equal([71, 719]);
  });

  it('deletes openings after 400 days, and the vault opens as before', async () => {
    const { buyer, product } = await meet(platform);
    const orderId = await buy(platform, buyer, product);
    const open = () => platform.request(`GET /vault/${orderId}`, { key: buyer.key });
    const { text } = await open();
    await open();
    const [first] = await idsOf('opening');
    await asOwner(
      platform,
      `update opening set opened_at = now() - interval '401 days' where id = ${first}`,
    );
    await runTimer(platform, TIMER);
    expect(await idsOf('opening')).to.not.include(first);
    expect((await open()).text).to.equal(text);
  });

  it('deletes sales of proxies with their reports after 7 days', async () => {
    const { id } = await platform.agent();
    const charges = await platform.query(
      `insert into charge (call_id, agent_id, root_id, spent_on, service, units, unit_price, credit,
                           cash)
       select gen_random_uuid(), $1, $1, now(), 'proxy', 1, 1000, 1000, 0 from generate_series(1, 2)
       returning id`,
      [id],
    );
    const [old, young] = charges.map((row: { id: string }) => Number(row.id));
    await platform.query(
      `insert into proxy_sale (charge_id, agent_id, proxy_ids, sold_at)
       select sale.id, $3, '{1}', now() - make_interval(hours => sale.age)
         from unnest(array [$1::bigint, $2], array [169, 167]) as sale(id, age)`,
      [old, young, id],
    );
    await platform.query(
      `insert into proxy_report (charge_id, proxy_id, root_id, works, credited)
       values ($1, 1, $3, true, 0), ($2, 1, $3, true, 0)`,
      [old, young, id],
    );
    await runTimer(platform, TIMER);
    expect(await idsOf('proxy_sale', 'charge_id')).to.deep.equal([young]);
    expect(await idsOf('proxy_report', 'charge_id')).to.deep.equal([young]);
    for (const table of ['proxy_report', 'proxy_sale', 'charge']) {
      await asOwner(platform, `delete from ${table}`);
    }
  });

  it('deletes prices after 90 days', async () => {
    await platform.query(
      `insert into asset_price (asset, at, price, source)
       select 'ETH', now() - make_interval(days => age), age, 'any'
         from unnest(array [89, 91]) as noted(age)`,
    );
    await runTimer(platform, TIMER);
    const left = await platform.query('select price::int from asset_price');
    expect(left).to.deep.equal([{ price: 89 }]);
  });

  it('deletes API keys 90 days after they ended', async () => {
    const { key } = await platform.agent();
    const keys: number[] = [];
    for (const [column, hours] of [
      ['revoked_at', 2_161],
      ['revoked_at', 2_159],
      ['expires_at', 2_161],
      ['expires_at', 2_159],
    ] as const) {
      const body = { scopes: ['read'] };
      const made = await platform.request('POST /api/v1/agent/keys', { key, body });
      keys.push(made.body.key_id);
      await platform.query(
        `update api_key set ${column} = now() - make_interval(hours => $2) where id = $1`,
        [made.body.key_id, hours],
      );
    }
    await runTimer(platform, TIMER);
    const left = await idsOf('api_key');
    expect(keys.map((id) => left.includes(id))).to.deep.equal([false, true, false, true]);
    expect((await platform.request('GET /api/v1/agent/me', { key })).status).to.equal(200);
  });

  it('goes on until nothing is left that is too old', async () => {
    await platform.query(
      `insert into event (agent_id, root_id, type, object_kind, object_id, status, data, occurred_at)
       select 0, 0, 'many', 'test', 1, 'test', '{}', now() - interval '31 days'
         from generate_series(1, $1)`,
      [2 * ROWS_MAX + 1],
    );
    await runTimer(platform, TIMER);
    expect(await platform.query(`select from event where type = 'many'`)).to.deep.equal([]);
  });

  it('has a page that says how long the rows of each table live', async () => {
    const tables: { name: string }[] = await platform.query(
      `select case table_schema when 'public' then '' else table_schema || '.' end || table_name
              as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema in ('public', 'ledger')`,
    );
    const page = readFileSync('docs/data.md', 'utf8');
    const named = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([\w.]+)`/g)].map(([, name]) => name),
    );
    expect(named).to.have.members(tables.map(({ name }) => name));
  });
});
