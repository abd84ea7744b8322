import { expect } from 'chai';

import { transact } from '../../shared/platform/database.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { stock } from './stock.ts';
import { patience } from '../platform/pace.ts';

describe('proxy_info and proxy_countries', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  it('show what is on sale, with and without a key, free of charge', async () => {
    const { key } = await platform.agent();
    const info = () => platform.request('GET /api/v1/proxy/info');
    const countries = () => platform.request('GET /api/v1/proxy/countries', { key });
    const attribution = 'IP Geolocation by DB-IP (https://db-ip.com)';
    expect((await info()).body).to.deep.equal({
      total: 0,
      hot: 0,
      exits: 0,
      countries: 0,
      protocols: ['socks5'],
      price: 0.001,
      refreshed_at: null,
      freshness: null,
      demo: false,
      attribution,
    });
    expect((await countries()).body).to.deep.include({ countries: [], count: 0 });

    await stock(platform, { count: 3, country: 'DE' });
    await stock(platform, { count: 2, country: 'US', state: 'warm' });
    await stock(platform, { count: 2, country: 'BR' });
    await stock(platform, { country: 'ZZ' });
    await stock(platform, { country: 'FR', state: 'degraded' });
    const { body } = await eventually(info, (reply) => reply.body.total === 8);
    expect(body).to.include({ hot: 6, exits: 8, countries: 3 });
    expect(body).not.to.have.property('by_country');
    expect(Date.now() - Date.parse(body.refreshed_at)).to.be.within(-5_000, patience(60_000));
    expect((await countries()).body).to.deep.equal({
      countries: [
        { country_code: 'DE', country: 'Germany', count: 3 },
        { country_code: 'BR', country: 'Brazil', count: 2 },
        { country_code: 'US', country: 'United States', count: 2 },
        { country_code: 'ZZ', country: 'Unknown', count: 1 },
      ],
      count: 4,
      next_cursor: null,
      has_more: false,
      attribution,
    });
    expect((await platform.request('GET /api/v1/proxy/countries')).status).to.equal(401);
  });

  it('show by country how old the last checks are, to those who ask for it', async () => {
    const before = await platform.request('GET /api/v1/proxy/info');
    const ids = await stock(platform, { count: 100, country: 'NO' });
    // The n-th passed n seconds, and ten minutes, ago.
    await platform.query(
      `update proxy set passed_at = at, checked_at = at
         from (select id as this, now() - (600 + n) * interval '1 s' as at
                 from unnest($1::int[]) with ordinality as listed(id, n)) listed
        where id = this`,
      [ids],
    );
    await stock(platform, { country: 'NO', state: 'warm' });
    const { body } = await eventually(
      () => platform.request('GET /api/v1/proxy/info?by_country=true'),
      (reply) => reply.body.total === before.body.total + 101,
    );
    const norway = body.by_country[0];
    expect(norway).to.include({ country_code: 'NO', country: 'Norway', count: 101, hot: 100 });
    const { p50, p90, p99 } = norway.freshness;
    // Some seconds may have passed between two statements.
    expect(p50).to.be.within(645, 650 + patience(30));
    expect([p90 - p50, p99 - p90]).to.deep.equal([40, 9]);
    expect(body.freshness.p99).to.be.within(p90, p99 + patience(60));
    const counts = body.by_country.map(({ count }: { count: number }) => count);
    expect(counts).to.deep.equal(counts.toSorted((a: number, b: number) => b - a));
    expect(counts.reduce((a: number, b: number) => a + b, 0)).to.equal(body.total);
    const wrong = await platform.request('GET /api/v1/proxy/info?by_country=maybe');
    expect(wrong.status).to.equal(422);
  });

  it('show soon what came on sale, also after the pool could not be read for a while', async () => {
    const info = () => platform.request('GET /api/v1/proxy/info');
    const { body: before } = await info();
    await transact(platform.context.database, async (db) => {
      await db.query('lock table proxy');
      await eventually(
        async () => {
          await info(); // It answers what it knows, and reads again when that has grown old.
          return platform.query(`select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
              and clock_timestamp() > query_start + interval '400 ms'`);
        },
        (waiting) => waiting.length > 0,
      );
    });
    await stock(platform, { count: 4 });
    await eventually(info, ({ body }) => body.total === before.total + 4);
  });
});
