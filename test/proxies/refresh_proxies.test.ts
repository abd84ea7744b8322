import { expect } from 'chai';

import { eventually } from '../harness.ts';
import { EXITS } from './peers.ts';
import { Yard } from './yard.ts';

/** Where nothing listens. */
const NOBODY = '127.0.0.99:1080';

describe('refresh_proxies', function () {
  this.timeout(60_000);

  let yard: Yard;
  beforeEach(async () => {
    yard = await Yard.open();
  });
  afterEach(() => yard.close());

  const sourcesOf = async () => (await yard.refresh()).body.sources;

  it('puts on sale what works, with the country it leads out in, whatever its source says', async () => {
    const [us, de, jp] = await Promise.all([
      yard.peer('working', EXITS.US),
      yard.peer('working', EXITS.DE),
      yard.peer('working', EXITS.JP),
    ]);
    const csv = `ip,port,country\n127.0.0.1,${jp.place.split(':')[1]},FR\n`;
    yard.list([us.place, `socks5://${de.place}`], csv);
    const [web, file] = await sourcesOf();
    expect(web).to.deep.include({ listed: 2, added: 2, fault: null });
    expect(file).to.deep.include({ listed: 1, added: 1, fault: null });
    await yard.checked(us, de, jp);
    expect(await yard.states(us, de, jp)).to.deep.equal(['hot', 'hot', 'hot']);
    const countries = await Promise.all([us, de, jp].map(({ place }) => yard.row(place)));
    expect(countries.map((row) => row.country_code)).to.deep.equal(['US', 'DE', 'JP']);
    expect(countries[0].exit_address).to.equal(EXITS.US.seen);

    const pool = await eventually(
      () => yard.platform.request('GET /api/v1/proxy/info'),
      ({ body }) => body.total === 3,
    );
    expect(pool.body).to.include({ hot: 3, countries: 3, price: 0.001 });
  });

  it('believes a source about countries only where no database could know', async () => {
    const [said, silent] = await Promise.all([
      yard.peer('working', EXITS.private),
      yard.peer('working', EXITS.private),
    ]);
    yard.list([silent.place], `proxy,country\n${said.place},FR\n`);
    await yard.refresh();
    await yard.checked(said, silent);
    expect((await yard.row(said.place)).country_code).to.equal('FR');
    expect((await yard.row(silent.place)).country_code).to.equal('ZZ');
  });

  it('sells nothing that does not bring back what our judge signed', async () => {
    const kinds = ['dead', 'silent', 'forging', 'garbling', 'password', 'nameless'] as const;
    const works = await yard.peer('working');
    const peers = await Promise.all(kinds.map((kind) => yard.peer(kind)));
    yard.list([works, ...peers].map(({ place }) => place));
    await yard.refresh();
    await yard.checked(works, ...peers);
    for (const [n, peer] of peers.entries()) {
      const row = await yard.row(peer.place);
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
    const { key } = await yard.platform.agent();
    const { body } = await yard.platform.request('GET /api/v1/proxy/list?limit=100', { key });
    expect(body.proxies.map(({ ip_port }: { ip_port: string }) => ip_port)).to.deep.equal([
      works.place,
    ]);
  });

  it('takes off the market what stops working, and puts it back when it works again', async () => {
    const [steady, fickle] = await Promise.all([yard.peer('working'), yard.peer('working')]);
    yard.list([steady.place, fickle.place]);
    await yard.refresh();
    await yard.checked(steady, fickle);
    fickle.become('dead');
    await yard.checkAgain([steady, fickle]);
    expect(await yard.states(steady, fickle)).to.deep.equal(['hot', 'degraded']);
    await yard.checkAgain([fickle], 2);
    expect(await yard.states(fickle)).to.deep.equal(['quarantined']);
    fickle.become('working');
    await yard.checkAgain([fickle], 4);
    expect(await yard.states(steady, fickle)).to.deep.equal(['hot', 'warm']);
    fickle.become('forging');
    await yard.checkAgain([fickle]);
    expect(await yard.states(fickle)).to.deep.equal(['quarantined']);
  });

  it('adds what is new and nothing twice, and never removes what a source no longer lists', async () => {
    const peers = await Promise.all([yard.peer('working'), yard.peer('working')]);
    const places = peers.map(({ place }) => place);
    yard.list([...places, places[0]!], places.join('\n'));
    const [first, file] = await sourcesOf();
    expect(first).to.deep.include({ listed: 2, added: 2 });
    expect(first.refused).to.include({ duplicate: 1 });
    expect(file).to.deep.include({ listed: 2, added: 0 });
    await yard.checked(...peers);

    yard.list([places[0]!], '');
    const [shrunk, empty] = await sourcesOf();
    expect(shrunk).to.deep.include({ listed: 1, listed_before: 2, added: 0, fault: null });
    expect(empty).to.deep.include({ listed: 0, listed_before: 2, fault: 'is empty' });
    expect(await yard.states(...peers)).to.deep.equal(['hot', 'hot']);
  });

  it('may be polled by the operator who started it, and by no agent', async () => {
    yard.list([NOBODY]);
    const pending = await yard.refresh({ prefer: 'respond-async' });
    const { job_id, poll } = pending.body;
    expect(poll).to.equal(`/api/v1/admin/jobs/${job_id}`);
    expect(pending.headers.get('location')).to.equal(poll);
    const key = 'operator-token-of-the-tests';
    const { body } = await yard.platform.request(`GET ${poll}?wait=20`, { key });
    expect(body).to.include({ operation: 'refresh_proxies', status: 'complete' });
    expect(body.result.sources[0]).to.include({ listed: 1, added: 1 });

    const agent = await yard.platform.agent();
    expect((await yard.platform.request(`GET ${poll}`, agent)).status).to.equal(401);
    expect((await yard.platform.request(`GET /api/v1/jobs/${job_id}`, agent)).status).to.equal(404);
    const nobodys = `GET /api/v1/admin/jobs/${job_id.replace(/.$/, 'x')}`;
    expect((await yard.platform.request(nobodys, { key })).status).to.equal(404);
  });

  it('leaves the pool as it is when every source fails or lies', async () => {
    const peer = await yard.peer('working');
    yard.list([peer.place]);
    await yard.refresh();
    await yard.checked(peer);
    for (const [status, body, fault] of [
      [500, 'no', /answers 500/],
      [200, '', /empty/],
      [200, '<html><p>Buy our list</p></html>', /no list/],
      [200, Buffer.alloc(3_000_000, `${NOBODY}\n`), null],
      [200, Buffer.alloc(17_000_000, `${NOBODY}\n`), /more than 1000000/],
      [200, Buffer.alloc(65 * 2 ** 20, 'x'), /longer than/],
      [200, '10.0.0.1:1080\n169.254.169.254:80\n[::1]:1080\n', null],
      [302, '', /answers 302/],
    ] as const) {
      yard.answer = { status, body };
      const [source] = await sourcesOf();
      if (fault) expect(source.fault).to.match(fault);
      else expect(source.fault).to.equal(null);
      expect(source.added).to.be.at.most(1);
    }
    expect(await yard.states(peer)).to.deep.equal(['hot']);
    const rows = await yard.platform.query('select ip_port from proxy order by id');
    expect(rows.map(({ ip_port }: { ip_port: string }) => ip_port)).to.deep.equal([
      peer.place,
      NOBODY,
    ]);
  });

  it('keeps what works on sale while our own way out is broken', async () => {
    const peers = await Promise.all(Array.from({ length: 20 }, () => yard.peer('working')));
    yard.list(peers.map(({ place }) => place));
    await yard.refresh();
    await yard.checked(...peers);
    // As if a firewall of ours dropped everything: the judge is reached, no proxy is.
    for (const peer of peers) peer.become('dead');
    await yard.platform.query(`update proxy set next_check_at = now() - interval '1 hour'`);
    await yard.refresh();
    const [{ answer }] = await eventually(
      () =>
        yard.platform.query(
          `select answer from job where operation = 'check_proxies' and status = 'complete'
            order by id desc limit 1`,
        ),
      ([job]) => job?.answer.doubted === true,
    );
    expect(answer).to.deep.equal({ checked: 0, passed: 0, doubted: true });
    expect(new Set(await yard.states(...peers))).to.deep.equal(new Set(['hot']));
  });

  it('judges no proxy while no judge answers', async () => {
    const peer = await yard.peer('working');
    yard.list([peer.place]);
    yard.router.to = undefined;
    await yard.refresh();
    await eventually(
      () => yard.platform.query(`select answer from job where operation = 'check_proxies'`),
      ([job]) => job?.answer?.doubted === true,
    );
    expect((await yard.row(peer.place)).checked_at).to.equal(null);
    expect(peer.connections).to.equal(0);
    yard.router.to = yard.platform.url;
    await yard.refresh();
    await yard.checked(peer);
    expect(await yard.states(peer)).to.deep.equal(['hot']);
  });

  it('forgets what has been dead for a week', async () => {
    const peer = await yard.peer('working');
    yard.list([peer.place]);
    await yard.refresh();
    await yard.checked(peer);
    await yard.platform.query(
      `insert into proxy (ip_port, source, state, state_since)
       values ('127.0.0.99:1', 'test', 'dead', now() - interval '8 days'),
              ('127.0.0.99:2', 'test', 'dead', now() - interval '6 days')`,
    );
    await yard.refresh();
    await eventually(
      () => yard.platform.query(`select ip_port from proxy where ip_port like '127.0.0.99:%'`),
      (rows) => rows.length === 1 && rows[0].ip_port === '127.0.0.99:2',
    );
    expect(await yard.states(peer)).to.deep.equal(['hot']);
  });
});
