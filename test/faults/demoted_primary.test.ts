import { expect } from 'chai';

import { eventually, TestPlatform } from '../harness.ts';
import { admin } from './children.ts';
import { buy, expectConsistent, openMarket } from './market.ts';

describe('a PostgreSQL that takes no writes any more', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(() => platform.close());

  /** Demotes the primary: sessions of the application may only read. */
  const setReadOnly = async (on: boolean) => {
    await admin(
      platform,
      `alter role market_app in database ${platform.name} set default_transaction_read_only = ${on}`,
    );
  };

  it('is answered 503 and not 500, and its sessions are not used for the next primary', async () => {
    const market = await openMarket(platform);
    expect((await buy(platform, market))?.status).to.equal(200);
    await setReadOnly(true);
    await admin(
      platform,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'market_app'
         and datname = $1`,
      [platform.name],
    );
    const refused = await eventually(
      () => buy(platform, market),
      (reply) => reply?.status !== 200 && reply !== undefined,
    );
    expect([refused?.status, refused?.body.error]).to.deep.equal([503, 'service_unavailable']);

    // Sessions that are open keep what they began with: only new ones may write.
    await setReadOnly(false);
    await eventually(
      () => buy(platform, market),
      (reply) => reply?.status === 200,
    );
    const orders = await platform.query('select count(*)::int as n from orders');
    await expectConsistent(platform, orders[0].n);
  });
});
