// test:all: tables of many rows are filled, to see the plans of statements at size.
import { expect } from 'chai';

import { findMatching, type ProxyFilters } from '../../shared/domains/proxies/pool/filters.ts';
import { POSITIONS } from '../../shared/domains/proxies/pool/segments.ts';
import { TestPlatform } from '../harness.ts';
import { rowsRead } from './rows_read.ts';
import { withoutTriggers } from './superuser.ts';

/** Enough proxies that reading all of them is never cheaper. A million gives the same figures. */
const PROXIES = 300_000;
const LIMIT = 100;
/** Two sides of the position that a list begins at, and proxies that are warm. */
const FEW = 8 * LIMIT;
const CANDIDATES = 2 * 10_000;

describe('lists of proxies by what is known of them, however many there are', function () {
  this.timeout(300_000);
  let platform: TestPlatform;

  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    // Every hundredth network has a thousandth of them; one in a thousand is transparent.
    await withoutTriggers(
      platform,
      `insert into proxy (ip_port, source, state, recent, checks, country_code, exit_address,
                          latency_ms, checked_at, passed_at, next_check_at, anonymity, city, asn,
                          success_rate, uptime)
       select '10.' || n / 65536 || '.' || (n / 256) % 256 || '.' || n % 256 || ':1080', 'test',
              case when n % 2 = 0 then 'hot' else 'warm' end, 1, 1,
              case when n % 4 < 2 then 'US' else 'DE' end, '198.51.100.7', 100, now(), now(),
              'infinity', case when n % 1000 = 0 then 'transparent' else 'elite' end,
              'City ' || n / 2 % 1000, 1 + n / 2 % 1000, 0.9 + (n % 100) / 1000.0, 1
         from generate_series(1, ${PROXIES}) as n`,
    );
    await withoutTriggers(platform, 'analyze proxy');
  });
  after(() => platform.close());

  const read = (filters: ProxyFilters, country?: string, isDistinct = false) =>
    rowsRead(platform, ['proxy'], (db) =>
      findMatching(db, { ...filters, country }, { from: POSITIONS >> 1, count: LIMIT, isDistinct }),
    );

  it('read what they return, of a network and of a city', async () => {
    expect(await read({ asn: 7 })).to.be.within(1, FEW);
    expect(await read({ city: 'city 7' })).to.be.within(1, FEW);
    expect(await read({ asn: 7, city: 'City 7' }, 'US')).to.be.within(1, FEW);
    expect(await read({ asn: 5_000_000 })).to.equal(0);
    expect(await read({ asn: 7 }, undefined, true)).to.be.within(1, 4 * FEW);
    expect(await read({ city: 'city 7' }, 'US', true)).to.be.within(1, 4 * FEW);
  });

  it('read no more candidates than that, where hardly any matches', async () => {
    for (const filters of [
      { anonymity: 'transparent' },
      { min_success_rate: 0.9985 },
      { min_uptime: 1, anonymity: 'transparent' },
    ] as const) {
      expect(await read(filters)).to.be.within(1, CANDIDATES);
      expect(await read(filters, 'DE')).to.be.within(1, CANDIDATES);
    }
  });
});
