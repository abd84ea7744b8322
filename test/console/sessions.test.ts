import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { BrowserLike, owner, PASSWORD } from './browser_like.ts';

describe('signing in', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  const sessionsOf = async (agentId: number) =>
    (await platform.query('select id from web_session where agent_id = $1', [agentId])).length;

  it('leads to the page that was asked for, and shows who one is', async () => {
    const agent = await platform.agent();
    const browser = new BrowserLike(platform);
    const asked = await browser.get('/console?x=1');
    expect([asked.status, asked.location]).to.deep.equal([
      303,
      '/console/login?next=%2Fconsole%3Fx%3D1',
    ]);
    const form = await browser.get(asked.location!);
    expect(form.status).to.equal(200);
    const made = await browser.submit(form, '/console/login', {
      name: agent.username,
      secret: PASSWORD,
    });
    expect([made.status, made.location]).to.deep.equal([303, '/console?x=1']);
    const home = await browser.get('/console');
    expect(home.status).to.equal(200);
    expect(home.text).to.include(agent.username).and.include('Yours to spend').and.include('$0.50');
  });

  it('keeps only a hash of what the browser has', async () => {
    const { browser, agent } = await owner(platform);
    const rows = await platform.query('select * from web_session where agent_id = $1', [agent.id]);
    expect(rows).to.have.length(1);
    expect(JSON.stringify(rows)).not.to.include(browser.cookies.get('session'));
  });

  it('is refused in the same words for a wrong password and for an unknown name', async () => {
    const agent = await platform.agent();
    const refusals = [];
    for (const [name, secret] of [
      [agent.username, 'wrong horse battery'],
      ['nobody-of-this-name', PASSWORD],
    ] as const) {
      const browser = new BrowserLike(platform);
      const { status, text } = await browser.post('/console/login', { name, secret, next: '' });
      expect(browser.cookies.size).to.equal(0);
      refusals.push([status, /role="alert".*?<strong>(.*?)<\/strong>/s.exec(text)![1]]);
    }
    expect(refusals[0]).to.deep.equal([401, 'The name or the password is wrong.']);
    expect(refusals[1]).to.deep.equal(refusals[0]);
    expect(await sessionsOf(agent.id)).to.equal(0);
  });

  it('is refused after the same work for a wrong password and for an unknown name', async () => {
    const { username } = await platform.agent();
    const took: number[][] = [[], []];
    for (let round = 0; round < 14; round += 1) {
      const name = round % 2 === 0 ? username : `nobody-${round}`;
      const start = process.cpuUsage();
      const { status } = await new BrowserLike(platform).signIn(name, { secret: 'a guess 12' });
      const { user, system } = process.cpuUsage(start);
      took[round % 2]!.push(user + system);
      expect(status).to.equal(401);
    }
    const [known, unknown] = took.map((of) => of.toSorted((a, b) => a - b)[3]!);
    // Without the work of a password it would be a tenth.
    expect(unknown! / known!).to.be.within(0.4, 2.5);
  });

  it('makes unknown browsers wait after ten failures, and no browser that was signed in', async () => {
    const { browser: known, agent } = await owner(platform);
    const other = () => new BrowserLike(platform);
    const guesses = await Promise.all(
      Array.from({ length: 14 }, () => other().signIn(agent.username, { secret: 'a guess 123' })),
    );
    const statuses = guesses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([...Array(10).fill(401), ...Array(4).fill(429)]);
    expect((await other().signIn(agent.username)).status).to.equal(429);
    expect((await known.signIn(agent.username)).status).to.equal(303);
  });

  it('gives a new token each time, so that a planted one is worth nothing', async () => {
    const agent = await platform.agent();
    const browser = new BrowserLike(platform);
    const planted = 'A'.repeat(43);
    browser.cookies.set('session', planted);
    await browser.signIn(agent.username);
    expect(browser.cookies.get('session'))
      .to.match(/^[\w-]{43}$/)
      .and.not.equal(planted);
    const first = browser.cookies.get('session')!;
    await browser.signIn(agent.username);
    expect(browser.cookies.get('session')).not.to.equal(first);
    expect(await sessionsOf(agent.id)).to.equal(1);
  });

  it('leads to no other place than a page of the console', async () => {
    const agent = await platform.agent();
    for (const next of [
      'https://evil.example/',
      '//evil.example/console',
      '/\\evil.example',
      '/x',
    ]) {
      const browser = new BrowserLike(platform);
      const fields = { name: agent.username, secret: PASSWORD, next };
      expect((await browser.post('/console/login', fields)).location, next).to.equal('/console');
    }
  });
});

describe('a web session', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  it('is over after signing out, whoever kept its cookie', async () => {
    const { browser } = await owner(platform);
    const kept = browser.cookies.get('session')!;
    const out = await browser.post('/console/logout', {});
    expect(out.status).to.equal(303);
    expect(out.headers.get('clear-site-data')).to.include('storage');
    browser.cookies.set('session', kept);
    expect((await browser.get('/console')).status).to.equal(303);
  });

  for (const [what, change] of [
    ['an hour without a request', `seen_at = now() - interval '61 minutes'`],
    ['a day', `ends_at = now()`],
  ] as const) {
    it(`is over after ${what}`, async () => {
      const { browser, agent } = await owner(platform);
      await platform.query(`update web_session set ${change} where agent_id = $1`, [agent.id]);
      expect((await browser.get('/console')).location).to.match(/^\/console\/login/);
    });
  }

  it('notes that its person was there, once a minute, and not for a page that redraws itself', async () => {
    const { browser, agent } = await owner(platform);
    const seen = async () =>
      (await platform.query('select seen_at from web_session where agent_id = $1', [agent.id]))[0]
        .seen_at as Date;
    await platform.query(
      `update web_session set seen_at = now() - interval '30 minutes' where agent_id = $1`,
      [agent.id],
    );
    const before = await seen();
    await browser.get('/console', { 'x-redraw': '1' });
    expect(await seen()).to.deep.equal(before);
    await browser.get('/console');
    expect((await seen()).getTime()).to.be.greaterThan(before.getTime());
  });

  it('calls no API, and a key opens no console', async () => {
    const { browser, agent } = await owner(platform);
    expect((await browser.get('/api/v1/wallet', { accept: 'application/json' })).status).to.equal(
      401,
    );
    const token = browser.cookies.get('session')!;
    expect((await platform.request('GET /api/v1/wallet', { key: token })).status).to.equal(401);
    const other = new BrowserLike(platform);
    const asked = await other.get('/console', { authorization: `Bearer ${agent.key}` });
    expect(asked.status).to.equal(303);
    other.cookies.set('session', agent.key);
    expect((await other.get('/console')).status).to.equal(303);
  });

  it('has headers that let nothing else in', async () => {
    const { browser } = await owner(platform);
    const { headers } = await browser.get('/console');
    const policy = headers.get('content-security-policy')!;
    expect(policy).to.include(`default-src 'none'`).and.include(`frame-ancestors 'none'`);
    expect(policy).to.include(`require-trusted-types-for 'script'`);
    expect(policy).not.to.include('unsafe');
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('referrer-policy')).to.equal('same-origin');
    expect(headers.get('cross-origin-opener-policy')).to.equal('same-origin');
  });

  it('has a cookie of the strictest kind where the marketplace is reached by TLS', async () => {
    const safe = await TestPlatform.open({
      workers: false,
      env: { PUBLIC_URL: 'https://market.example' },
    });
    try {
      const agent = await safe.agent();
      const browser = new BrowserLike(safe);
      const set = (await browser.signIn(agent.username)).headers.getSetCookie().join('\n');
      expect(set).to.match(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/m);
    } finally {
      await safe.close();
    }
  });

  it('is not begun where the marketplace is reached without TLS on another machine', async () => {
    const open = await TestPlatform.open({
      workers: false,
      env: { PUBLIC_URL: 'http://market.example' },
    });
    try {
      const agent = await open.agent();
      const browser = new BrowserLike(open);
      expect((await browser.get('/console/login')).text).to.include('none is taken');
      expect((await browser.signIn(agent.username)).status).to.equal(403);
      expect(browser.cookies.size).to.equal(0);
    } finally {
      await open.close();
    }
  });
});

describe('a request of another site', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  it('signs nobody in or out, and changes nothing', async () => {
    const { browser, agent } = await owner(platform);
    const paths = [
      '/console/login',
      '/console/logout',
      '/console/do/decide_approval',
      '/console/account/sessions',
      '/admin/login',
    ];
    for (const path of paths) {
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': '' },
        { 'sec-fetch-site': 'cross-site', origin: platform.config.api.publicUrl },
      ] as Record<string, string>[]) {
        const fields = { name: agent.username, secret: PASSWORD };
        const { status } = await browser.post(path, fields, headers);
        expect(status, `${path} ${JSON.stringify(headers)}`).to.equal(403);
      }
    }
    expect((await browser.get('/console')).status).to.equal(200);
  });
});
