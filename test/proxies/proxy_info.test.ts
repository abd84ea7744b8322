import { expect } from 'chai';

import { transact } from '../../shared/platform/database.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { stock } from './stock.ts';

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
      countries: 0,
      protocols: ['socks5'],
      price: 0.001,
      refreshed_at: null,
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
    expect(body).to.include({ hot: 6, countries: 3 });
    expect(Date.now() - Date.parse(body.refreshed_at)).to.be.within(-5_000, 60_000);
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
