// test:all: a second PostgreSQL follows a first one.
import { expect } from 'chai';

import { openLog } from '../../shared/platform/log.ts';
import { openAudit } from '../../workers/gateways/audit/audit.ts';
import { asOwner } from '../as_owner.ts';
import { admin, urlAs } from '../databases.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { buy, openMarket } from './market.ts';
import { hasReplayed, openFollowed, queryOf, type FollowedPlatform } from './standby.ts';

describe('an audit where a standby answers reads', function () {
  this.timeout(120_000);

  let opened: FollowedPlatform;
  let { standby, platform } = {} as FollowedPlatform;
  before(async () => {
    opened = await openFollowed((options) => TestPlatform.open(options));
    ({ standby, platform } = opened);
  });
  after(() => opened.close());

  const run = (lagMs = 10_000) => {
    const databaseReadUrl = urlAs(standby.url, platform.name, 'market_app');
    const config = { ...platform.config, databaseReadUrl, databaseReadLagMs: lagMs };
    return openAudit(config, openLog('silent', 'test')).run();
  };
  /** Sessions of an audit of the standby that wait for a lock. */
  const waiting = () =>
    queryOf(
      standby.url,
      `select pid from pg_stat_activity
        where datname = $1 and application_name = 'market-reader' and wait_event_type = 'Lock'
          and query like '%proxy_sale%'`,
      [platform.name],
    );
  const conflicts = () =>
    queryOf(standby.url, 'select confl_lock from pg_stat_database_conflicts where datname = $1', [
      platform.name,
    ]);

  it('is answered by it, with all that was committed before it was asked for', async () => {
    const market = await openMarket(platform);
    for (let orders = 1; orders <= 3; orders += 1) {
      await buy(platform, market);
      const report = await run();
      expect([report.server, report.orders, report.differences]).to.deep.equal([
        'standby',
        orders,
        [],
      ]);
    }
    const [{ now }] = await platform.query('select now()');
    expect((await run()).at).to.be.above(now);
  });

  it('is answered by the primary if it has not caught up in time', async () => {
    const market = await openMarket(platform);
    await admin(standby.url, 'select pg_wal_replay_pause()');
    await buy(platform, market);
    const { server, orders, differences } = await run(1_000);
    await admin(standby.url, 'select pg_wal_replay_resume()');
    expect([server, orders, differences]).to.deep.equal(['primary', 4, []]);
  });

  it('is answered by the primary if it would keep the standby from going on', async () => {
    await admin(standby.url, 'alter system set max_standby_streaming_delay = 0');
    await admin(standby.url, 'select pg_reload_conf()');
    let running: ReturnType<typeof run> | undefined;
    // A table that it reads near its end: the lock holds at the standby too.
    await asOwner(platform, 'begin; lock proxy_sale in access exclusive mode', async () => {
      await platform.agent(); // Its commit sends the lock.
      await eventually(() => hasReplayed(platform, standby), Boolean);
      running = run();
      await eventually(waiting, (rows) => rows.length > 0);
      // A table that its first session has read, whichever of them waits for the other lock.
      await asOwner(platform, 'begin; lock orders in access exclusive mode; commit');
      await platform.agent();
      await eventually(conflicts, (rows) => Number(rows[0]!.confl_lock) > 0);
    });
    const { server, differences } = await running!;
    expect([server, differences]).to.deep.equal(['primary', []]);
  });
});
