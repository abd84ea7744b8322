// test:all: a second PostgreSQL follows a first one.
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { openStandby, type Standby } from '../../shared/platform/connections/standby.ts';
import { databaseOf } from '../../shared/platform/database.ts';
import { openLog } from '../../shared/platform/log.ts';
import { asOwner } from '../as_owner.ts';
import { admin, urlAs } from '../databases.ts';
import { eventually } from '../harness.ts';
import { child, endChildren, openPlatform } from './children.ts';
import { hasReplayed, openFollowed, openStandbyOf, type FollowedPlatform } from './standby.ts';

describe('a standby for reads', function () {
  this.timeout(120_000);

  let opened: FollowedPlatform;
  let { folder, primary, standby, platform } = {} as FollowedPlatform;
  before(async () => {
    opened = await openFollowed(openPlatform);
    ({ folder, primary, standby, platform } = opened);
  });
  after(async () => {
    await endChildren();
    await opened.close();
  });

  const standbyUrl = () => urlAs(standby.url, platform.name, 'market_app');
  const replayed = () => hasReplayed(platform, standby);

  const goods = { stock_kind: 'unlimited', content: 'All.' };
  const setPrice = (seller: { key: string }, { id }: { id: number }, price: number) =>
    platform.request(`PATCH /api/v1/products/${id}`, { key: seller.key, body: { price } });

  /** Makes the transfers to a tree an hour old. */
  const moveBack = (root: number) =>
    asOwner(
      platform,
      `alter table ledger.transfer disable trigger append_only;
       update ledger.transfer set created_at = created_at - interval '1 hour' where to_id = ${root};
       alter table ledger.transfer enable always trigger append_only`,
    );

  it('answers what may be some seconds old, and the primary all else', async () => {
    const seller = await platform.agent();
    const product = await platform.product(seller, { ...goods, price: 1 });
    const lag = { DATABASE_READ_URL: standbyUrl(), DATABASE_READ_LAG_MS: '600000' };
    const api = await child(platform, 'test/faults/api.ts', lag);
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${seller.key}` };
      const reply = await fetch(api.url + path, { headers });
      return { status: reply.status, body: await reply.json() };
    };
    const listed = async () => {
      const { body } = await get(`/api/v1/products?seller_id=${seller.id}`);
      return (body.products as { price: number }[]).map(({ price }) => price);
    };
    const metrics = async () => {
      const headers = { authorization: `Bearer ${platform.config.agents.operators[0]!.token}` };
      return (await fetch(`${api.url}/metrics`, { headers })).text();
    };
    await eventually(metrics, (text) => /^market_standby_lag_seconds [\d.e-]+$/m.test(text));
    await eventually(replayed, Boolean);
    expect(await listed()).to.deep.equal([1]);

    await admin(standby.url, 'select pg_wal_replay_pause()');
    await setPrice(seller, product, 2);
    expect(await listed(), 'by the standby').to.deep.equal([1]);
    const own = await get(`/api/v1/products/${product.id}`);
    expect(own.body.price, 'by the primary').to.equal(2);
    // The standby knows neither this seller nor its key.
    const young = await platform.agent();
    await platform.product(young, goods);
    const record = await get(`/api/v1/sellers/record?agent_id=${young.id}`);
    expect([record.status, record.body.agent_id]).to.deep.equal([200, young.id]);

    // The lag that is allowed is ten minutes, so the past begins eleven minutes ago.
    const movements = async (minutes: number) => {
      const to = new Date(Date.now() - minutes * 60_000).toISOString();
      return (await get(`/api/v1/wallet/statement?to=${to}`)).body.count;
    };
    await moveBack(seller.id);
    expect(await movements(12), 'of the past, by the standby').to.equal(0);
    expect(await movements(10), 'of lately, by the primary').to.equal(1);

    await admin(standby.url, 'select pg_wal_replay_resume()');
    await eventually(listed, ([price]) => price === 2);
    expect(await movements(12)).to.equal(1);
    await standby.stop();
    await setPrice(seller, product, 3);
    expect(await listed(), 'while the standby is down').to.deep.equal([3]);
    await standby.start();
  });

  it('is read while it lags less than the limit, and never when it follows nobody', async () => {
    let ms = 0;
    const source = databaseOf(standbyUrl(), 2);
    const open: Standby = openStandby({
      primary: platform.context.reserved,
      standby: source,
      lagMsMax: 5_000,
      log: openLog('silent', 'test'),
      elapsedMs: () => ms,
    });
    try {
      expect(open.current()).to.equal(undefined);
      await eventually(
        async () => {
          await open.look();
          return open.current();
        },
        (database) => database === source,
      );
      expect(await audit(source)).to.deep.equal([]);

      await admin(standby.url, 'select pg_wal_replay_pause()');
      await platform.agent();
      ms += 4_000;
      await open.look();
      expect([open.lagMs(), open.current()]).to.deep.equal([4_000, source]);
      ms += 2_000;
      await open.look();
      expect([open.lagMs(), open.current()]).to.deep.equal([6_000, undefined]);
      await admin(standby.url, 'select pg_wal_replay_resume()');
      await eventually(
        async () => {
          await open.look();
          return open.lagMs();
        },
        (lag) => lag === 0,
      );
      expect(open.current()).to.equal(source);

      await admin(standby.url, 'select pg_promote()');
      await open.look();
      expect([open.lagMs(), open.current()]).to.deep.equal([undefined, undefined]);
    } finally {
      await open.close();
    }
  });

  it('is not read while it follows a former primary, whose rows are others', async () => {
    // The former primary goes on, and is ahead of the one that was promoted before.
    const other = await openStandbyOf(primary, folder.path, 'other');
    const today = await databaseOf(standbyUrl(), 1).initialize();
    const source = databaseOf(urlAs(other.url, platform.name, 'market_app'), 2);
    const openFor = (current: typeof today) =>
      openStandby({
        primary: current,
        standby: source,
        lagMsMax: 5_000,
        log: openLog('silent', 'test'),
      });
    const [ofFormer, ofToday] = [openFor(platform.context.reserved), openFor(today)];
    try {
      await admin(primary.url, 'select pg_switch_wal()');
      await platform.agent();
      await eventually(
        async () => {
          await ofFormer.look();
          return ofFormer.current();
        },
        (database) => database === source,
      );
      await ofToday.look();
      expect([ofToday.lagMs(), ofToday.current()]).to.deep.equal([undefined, undefined]);
      const agents = async (database: typeof today) => {
        const [{ count }] = await database.query('select count(*)::int as count from agent');
        return count as number;
      };
      expect(await agents(source)).to.be.above(await agents(today));
    } finally {
      await ofFormer.close();
      await ofToday.close();
      await today.destroy();
      await other.stop();
    }
  });

  it('is not read while it follows another that was promoted too', async () => {
    const first = await openStandbyOf(primary, folder.path, 'first');
    const second = await openStandbyOf(primary, folder.path, 'second');
    for (const { url } of [first, second]) await admin(url, 'select pg_promote()');
    const third = await openStandbyOf(second, folder.path, 'third');
    const urlOf = ({ url }: typeof second) => urlAs(url, platform.name, 'market_app');
    const [today, itsPrimary] = await Promise.all(
      [first, second].map((one) => databaseOf(urlOf(one), 1).initialize()),
    );
    const former = platform.context.reserved;
    const looks = [former, today!, itsPrimary!].map((database) =>
      openStandby({
        primary: database,
        standby: databaseOf(urlOf(third), 1),
        lagMsMax: 5_000,
        log: openLog('silent', 'test'),
      }),
    );
    try {
      const isCurrent = async (look: Standby) => {
        await look.look();
        return look.current() !== undefined;
      };
      await eventually(() => isCurrent(looks[2]!), Boolean);
      expect(await Promise.all(looks.map(isCurrent))).to.deep.equal([false, false, true]);
      const histories = await Promise.all(
        [today!, itsPrimary!].map(async (database) => {
          const sql = 'select system, timeline, branch from database_timeline where timeline = 2';
          const [{ branch, ...history }] = await database.query(sql);
          return { branch, history };
        }),
      );
      expect(histories[0]!.history).to.deep.equal(histories[1]!.history);
      expect(histories[0]!.branch).to.not.equal(histories[1]!.branch);
    } finally {
      await Promise.all(looks.map((look) => look.close()));
      await today!.destroy();
      await itsPrimary!.destroy();
      await third.stop();
      await second.stop();
      await first.stop();
    }
  });
});
