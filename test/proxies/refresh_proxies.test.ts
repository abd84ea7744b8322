import { expect } from 'chai';

import { eventually } from '../harness.ts';
import { EXITS } from './peers.ts';
import { ProxyRig } from './proxy_rig.ts';

/** An address where nothing listens. */
const NOBODY = '127.0.0.99:1080';

describe('refresh_proxies', function () {
  this.timeout(60_000);

  let rig: ProxyRig;
  beforeEach(async () => {
    rig = await ProxyRig.open();
  });
  afterEach(() => rig.close());

  const sourcesOf = async () => (await rig.refresh()).body.sources;

  it('puts on sale what works, with the country of its exit, whatever its source declares', async () => {
    const [us, de, jp] = await Promise.all([
      rig.peer('working', EXITS.US),
      rig.peer('working', EXITS.DE),
      rig.peer('working', EXITS.JP),
    ]);
    const csv = `ip,port,country\n127.0.0.1,${jp.address.split(':')[1]},FR\n`;
    rig.list([us.address, `socks5://${de.address}`], csv);
    const [web, file] = await sourcesOf();
    expect(web).to.deep.include({ listed: 2, added: 2, fault: null });
    expect(file).to.deep.include({ listed: 1, added: 1, fault: null });
    await rig.checked(us, de, jp);
    expect(await rig.states(us, de, jp)).to.deep.equal(['hot', 'hot', 'hot']);
    const countries = await Promise.all([us, de, jp].map(({ address }) => rig.row(address)));
    expect(countries.map((row) => row.country_code)).to.deep.equal(['US', 'DE', 'JP']);
    expect(countries[0].exit_address).to.equal(EXITS.US.seen);
    expect(new Set(countries.map((row) => row.exit_key)).size).to.equal(3);

    const pool = await eventually(
      () => rig.platform.request('GET /api/v1/proxy/info'),
      ({ body }) => body.total === 3,
    );
    expect(pool.body).to.include({ hot: 3, countries: 3, price: 0.001 });
  });

  it('believes a source about countries only where no database could know', async () => {
    const [said, silent] = await Promise.all([
      rig.peer('working', EXITS.private),
      rig.peer('working', EXITS.private),
    ]);
    rig.list([silent.address], `proxy,country\n${said.address},FR\n`);
    await rig.refresh();
    await rig.checked(said, silent);
    expect((await rig.row(said.address)).country_code).to.equal('FR');
    expect((await rig.row(silent.address)).country_code).to.equal('ZZ');
    // A private address says nothing of the exit that targets see.
    expect((await rig.row(said.address)).exit_key).to.equal(null);
  });

  it('sells no proxy that does not return what our judge signed', async () => {
    const kinds = ['dead', 'silent', 'forging', 'garbling', 'password', 'nameless'] as const;
    const works = await rig.peer('working');
    const peers = await Promise.all(kinds.map((kind) => rig.peer(kind)));
    rig.list([works, ...peers].map(({ address }) => address));
    await rig.refresh();
    await rig.checked(works, ...peers);
    for (const [n, peer] of peers.entries()) {
      const row = await rig.row(peer.address);
      expect(row.passed_at, kinds[n]!).to.equal(null);
      expect(row.state, kinds[n]!).to.equal(
        ['forging', 'garbling'].includes(kinds[n]!) ? 'dead' : 'quarantined',
      );
      expect(peer.connections, kinds[n]!).to.be.greaterThan(0);
    }
    await eventually(
      async () => [works, ...peers],
      (all) => all.every(({ open }) => open === 0),
    );
    const { key } = await rig.platform.agent();
    const { body } = await rig.platform.request('GET /api/v1/proxy/list?limit=100', { key });
    expect(body.proxies.map(({ ip_port }: { ip_port: string }) => ip_port)).to.deep.equal([
      works.address,
    ]);
  });

  it('takes a proxy off the market when it stops working, and puts it back when it works again', async () => {
    const [steady, fickle] = await Promise.all([rig.peer('working'), rig.peer('working')]);
    rig.list([steady.address, fickle.address]);
    await rig.refresh();
    await rig.checked(steady, fickle);
    fickle.become('dead');
    await rig.recheck([steady, fickle]);
    expect(await rig.states(steady, fickle)).to.deep.equal(['hot', 'degraded']);
    await rig.recheck([fickle], 2);
    expect(await rig.states(fickle)).to.deep.equal(['quarantined']);
    fickle.become('working');
    await rig.recheck([fickle], 4);
    expect(await rig.states(steady, fickle)).to.deep.equal(['hot', 'warm']);
    fickle.become('forging');
    await rig.recheck([fickle]);
    expect(await rig.states(fickle)).to.deep.equal(['quarantined']);
  });

  it('adds what is new and nothing twice, and never removes what a source no longer lists', async () => {
    const peers = await Promise.all([rig.peer('working'), rig.peer('working')]);
    const addresses = peers.map(({ address }) => address);
    rig.list([...addresses, addresses[0]!], addresses.join('\n'));
    const [first, file] = await sourcesOf();
    expect(first).to.deep.include({ listed: 2, added: 2 });
    expect(first.refused).to.include({ duplicate: 1 });
    expect(file).to.deep.include({ listed: 2, added: 0 });
    await rig.checked(...peers);

    rig.list([addresses[0]!], '');
    const [shrunk, empty] = await sourcesOf();
    expect(shrunk).to.deep.include({ listed: 1, listed_before: 2, added: 0, fault: null });
    expect(empty).to.deep.include({ listed: 0, listed_before: 2, fault: 'is empty' });
    expect(await rig.states(...peers)).to.deep.equal(['hot', 'hot']);
  });

  it('may be polled by the operator that started it, and by no agent', async () => {
    rig.list([NOBODY]);
    const pending = await rig.refresh({ prefer: 'respond-async' });
    const { job_id, poll } = pending.body;
    expect(poll).to.equal(`/api/v1/admin/jobs/${job_id}`);
    expect(pending.headers.get('location')).to.equal(poll);
    const key = 'operator-token-of-the-tests';
    const { body } = await rig.platform.request(`GET ${poll}?wait=20`, { key });
    expect(body).to.include({ operation: 'refresh_proxies', status: 'complete' });
    expect(body.result.sources[0]).to.include({ listed: 1, added: 1 });

    const agent = await rig.platform.agent();
    expect((await rig.platform.request(`GET ${poll}`, agent)).status).to.equal(401);
    expect((await rig.platform.request(`GET /api/v1/jobs/${job_id}`, agent)).status).to.equal(404);
    const nobodys = `GET /api/v1/admin/jobs/${job_id.replace(/.$/, 'x')}`;
    expect((await rig.platform.request(nobodys, { key })).status).to.equal(404);
  });

  it('leaves the pool as it is when every source fails or lies', async () => {
    const peer = await rig.peer('working');
    rig.list([peer.address]);
    await rig.refresh();
    await rig.checked(peer);
    for (const [status, body, fault] of [
      [500, 'no', /answers 500/],
      [200, '', /empty/],
      [200, '<html><p>Buy our list</p></html>', /no list/],
      [200, Buffer.alloc(3_000_000, `${NOBODY}\n`), null],
      [200, Buffer.alloc(9_000_000, `${NOBODY}\n`), /more than 500000/],
      [200, Buffer.alloc(65 * 2 ** 20, 'x'), /longer than/],
      [200, '10.0.0.1:1080\n169.254.169.254:80\n[::1]:1080\n', null],
      [302, '', /answers 302/],
    ] as const) {
      rig.answer = { status, body };
      const [source] = await sourcesOf();
      if (fault) expect(source.fault).to.match(fault);
      else expect(source.fault).to.equal(null);
      expect(source.added).to.be.at.most(1);
    }
    expect(await rig.states(peer)).to.deep.equal(['hot']);
    const rows = await rig.platform.query('select ip_port from proxy order by id');
    expect(rows.map(({ ip_port }: { ip_port: string }) => ip_port)).to.deep.equal([
      peer.address,
      NOBODY,
    ]);
  });

  it('judges no proxy while no judge answers', async () => {
    const peer = await rig.peer('working');
    rig.list([peer.address]);
    rig.router.to = undefined;
    await rig.refresh();
    await eventually(
      () => rig.platform.query(`select answer from job where operation = 'check_proxies'`),
      ([job]) => job?.answer?.doubted === true,
    );
    expect((await rig.row(peer.address)).checked_at).to.equal(null);
    expect(peer.connections).to.equal(0);
    rig.router.to = rig.platform.url;
    await rig.refresh();
    await rig.checked(peer);
    expect(await rig.states(peer)).to.deep.equal(['hot']);
  });

  it('records no check of a batch that took so long that its slot has another', async () => {
    const peer = await rig.peer('silent');
    rig.list([peer.address]);
    await rig.refresh();
    await eventually(
      async () => peer.connections,
      (count) => count > 0,
    );
    const slot = `update proxy_check_slot set batch = batch + 1
      where busy_until > now() returning slot`;
    expect((await rig.platform.query(slot))[1]).to.equal(1);
    peer.become('dead');
    const find = `select answer from job where operation = 'check_proxies' and status = 'complete'`;
    const jobs = await eventually(
      () => rig.platform.query(find),
      (rows) => rows.length > 0,
    );
    expect(jobs[0].answer).to.deep.include({ checked: 0 });
    expect((await rig.row(peer.address)).checks).to.equal(0);
  });

  it('deletes what has been dead for a week', async () => {
    const peer = await rig.peer('working');
    rig.list([peer.address]);
    await rig.refresh();
    await rig.checked(peer);
    await rig.platform.query(
      `insert into proxy (ip_port, source, state, state_since)
       values ('127.0.0.99:1', 'test', 'dead', now() - interval '8 days'),
              ('127.0.0.99:2', 'test', 'dead', now() - interval '6 days')`,
    );
    await rig.refresh();
    await eventually(
      () => rig.platform.query(`select ip_port from proxy where ip_port like '127.0.0.99:%'`),
      (rows) => rows.length === 1 && rows[0].ip_port === '127.0.0.99:2',
    );
    expect(await rig.states(peer)).to.deep.equal(['hot']);
  });
});
