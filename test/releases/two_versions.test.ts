// test:all: builds the last release, and runs the programs of two versions.
import { expect } from 'chai';
import { join } from 'node:path';
import pg from 'pg';

import { runAudit } from '../../shared/composition/audit.ts';
import { startServers, type Servers } from '../drill/servers.ts';
import { eventually } from '../harness.ts';
import { openProcesses, type Pair } from './processes.ts';
import { buildLastRelease, buildThisRelease, type Release } from './releases.ts';
import { openTraders, type Router } from './traders.ts';

/** Calls under each state of the deployment. */
const CALLS = 60;
const TRADERS = 4;

describe('a release beside the one before', () => {
  let servers: Servers;
  let lastRelease: Release | undefined;
  let thisRelease: Release;
  const ends: (() => Promise<unknown>)[] = [];
  before(async function () {
    this.timeout(180_000);
    servers = await startServers({ durable: false });
    lastRelease = buildLastRelease(join(servers.folder, 'last_release'));
    thisRelease = buildThisRelease();
    if (!lastRelease)
      console.log('      this checkout has no history: there is nothing to compare');
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  after(() => servers.stop());

  async function newDatabase(name: string) {
    const { postgres } = servers;
    const urlOf = (role: string) => {
      const url = new URL(role === 'postgres' ? postgres.url : postgres.urlOf(role as never));
      url.pathname = `/${name}`;
      return url.href;
    };
    const admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query(`create database ${name} owner market_owner`);
    await admin.end();
    const processes = openProcesses(servers, urlOf);
    ends.push(() => processes.stopAll());
    return { urlOf, processes };
  }

  const differencesOf = async (url: string) => (await runAudit(url)).differences;

  it('takes its place call by call, gives it back, and takes it again', async function () {
    if (!lastRelease) return;
    this.timeout(300_000);
    const { urlOf, processes } = await newDatabase('rolled');
    await processes.migrate(lastRelease);
    const router: Router = { urls: [] };
    let pair: Pair = await processes.startPair(lastRelease);
    router.urls = [pair.url];
    const traders = await openTraders(router, TRADERS);
    ends.push(() => traders.stop());
    await traders.untilCalls(CALLS);
    await processes.migrate(thisRelease);
    await traders.untilCalls(CALLS);
    for (const release of [thisRelease, lastRelease, thisRelease]) {
      const next = await processes.startPair(release);
      router.urls = [pair.url, next.url];
      await traders.untilCalls(CALLS);
      router.urls = [next.url];
      await pair.stop();
      pair = next;
      await traders.untilCalls(CALLS);
    }
    await traders.stop();
    expect(await traders.differences()).to.deep.equal([]);
    expect(traders.failures.slice(0, 5)).to.deep.equal([]);
    expect(traders.purchases.length).to.be.greaterThan(CALLS);
    expect(await differencesOf(urlOf('market_app'))).to.deep.equal([]);
  });

  it('is found out when it drops what the one before still calls', async function () {
    if (!lastRelease) return;
    this.timeout(180_000);
    const { urlOf, processes } = await newDatabase('dropped');
    await processes.migrate(lastRelease);
    const { url } = await processes.startPair(lastRelease);
    const traders = await openTraders({ urls: [url] }, 1);
    ends.push(() => traders.stop());
    await traders.untilCalls(6);
    expect(traders.failures.slice(0, 5)).to.deep.equal([]);
    const owner = new pg.Client({ connectionString: urlOf('market_owner') });
    await owner.connect();
    await owner.query('drop function purchase_alone; drop function perform_purchases');
    await owner.end();
    await eventually(
      async () => traders.failures.join(),
      (failures) => failures.includes('POST /api/v1/orders'),
    );
  });
});
