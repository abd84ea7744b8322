// test:all: an audit runs for seconds beside trade.
import { expect } from 'chai';

import { runAudit, type Audit } from '../../shared/composition/audit.ts';
import { moveWatermarks } from '../../workers/due_jobs.ts';
import { asOwner } from '../as_owner.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { admin } from './children.ts';
import { buy, expectConsistent, openMarket } from './market.ts';

describe('an audit that takes long', function () {
  this.timeout(30_000);

  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(() => platform.close());

  it('holds back neither trade nor the dispatcher, and speaks of the moment when it began', async () => {
    const market = await openMarket(platform);
    await buy(platform, market);
    let running: Promise<Audit> | undefined;
    // A table that it reads near its end, and no purchase.
    await asOwner(platform, 'begin; lock proxy_sale in access exclusive mode', async () => {
      running = runAudit(platform.config.databaseUrl);
      const [{ since }] = (await eventually(
        () =>
          admin(
            platform,
            `select now() as since from pg_stat_activity
              where datname = $1 and wait_event_type = 'Lock' and query like '%proxy_sale%'`,
            [platform.name],
          ),
        (rows) => rows.length > 0,
      )) as [{ since: Date }];
      await buy(platform, market);
      await eventually(
        async () => {
          await moveWatermarks(platform.context);
          return platform.query(
            `select at > $1::timestamptz - interval '5 s' as passed from dispatch_watermark
              where scan = 'delayed'`,
            [since],
          );
        },
        ([{ passed }]) => passed,
      );
    });
    const { differences, orders } = await running!;
    expect(differences).to.deep.equal([]);
    expect(orders).to.equal(1);
    await expectConsistent(platform, 2);
  });
});
