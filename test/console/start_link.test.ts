import { request } from 'node:http';

import { expect } from 'chai';

import type { HttpContext } from '../../api/http/routes.ts';
import type { Console } from '../../api/console/render.tsx';
import { startRoutes } from '../../api/console/session/start_routes.tsx';
import { audit } from '../../shared/composition/audit.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { refusalOf } from '../../shared/kernel/refusal.ts';
import { TestPlatform } from '../harness.ts';
import { GOOD } from '../platform/production_settings.ts';
import { BrowserLike, formsOf } from './browser_like.ts';

const SECRET = 'a-secret-of-the-tests-with-many-letters';
const codeAt = (at: number) => `${at}.${SECRET}`;

describe('the link that npm start prints', () => {
  const CODE = codeAt(Date.now());
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ env: { START_LINK: CODE } });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** A request of any Host, which fetch would not send. */
  const statusOf = (
    headers: Record<string, string>,
    { at = platform, path = '/start' }: { at?: TestPlatform; path?: string } = {},
  ) =>
    new Promise<number>((resolve, reject) => {
      request(at.url + path, { headers: { accept: 'text/html', ...headers } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      })
        .on('error', reject)
        .end();
    });
  const sessions = async () =>
    (await platform.query('select from web_session where operator is not null')).length;
  const forget = () =>
    platform.query('delete from web_session').then(() => platform.query('delete from start_link'));

  it('is looked at without being used, and signs in by a button', async () => {
    const browser = new BrowserLike(platform);
    for (let times = 0; times < 2; times += 1) {
      const page = await browser.get(`/start?code=${CODE}`);
      expect(page.status).to.equal(200);
      expect(page.text)
        .to.include('Become the operator')
        .and.not.match(/(src|href)="https?:/);
    }
    expect(await sessions()).to.equal(0);
    const page = await browser.get(`/start?code=${CODE}`);
    expect(formsOf(page.text).map(({ action }) => action)).to.deep.equal(['/start']);
    const { status, location } = await browser.submit(page, '/start');
    expect([status, location]).to.deep.equal([303, '/admin/start']);
    expect((await browser.get('/admin/start')).text).to.include('1 of 5 are done');
    expect((await browser.get('/start')).location).to.equal('/admin/start');
  });

  it('works once: the second browser is told what to do', async () => {
    await forget();
    expect((await new BrowserLike(platform).post('/start', { code: CODE })).status).to.equal(303);
    const second = new BrowserLike(platform);
    const page = await second.get(`/start?code=${CODE}`);
    expect(page.status).to.equal(200);
    expect(page.text).to.include('This link was used').and.include('href="/admin/login"');
    expect(formsOf(page.text)).to.deep.equal([]);
    // A page that was opened before the link was used.
    const again = await second.post('/start', { code: CODE });
    expect(again.status).to.equal(401);
    expect(again.text).to.include('it prints another one');
    expect(second.cookies.has('operator')).to.equal(false);
    expect(await sessions()).to.equal(1);
    await forget();
  });

  it('signs in one of many who send it at the same moment', async () => {
    const sent = await Promise.all(
      Array.from({ length: 10 }, () => new BrowserLike(platform).post('/start', { code: CODE })),
    );
    expect(sent.filter(({ status }) => status === 303)).to.have.length(1);
    expect(await sessions()).to.equal(1);
    await forget();
  });

  it('takes no other code, and none from another site', async () => {
    const browser = new BrowserLike(platform);
    for (const code of ['', SECRET, codeAt(1), `${CODE}x`]) {
      expect((await browser.post('/start', { code })).status, code).to.equal(401);
    }
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': '', origin: 'https://elsewhere.example' },
      { 'sec-fetch-site': '' },
    ]) {
      const { status } = await browser.post('/start', { code: CODE }, headers);
      expect(status, JSON.stringify(headers)).to.equal(403);
    }
    expect(await sessions()).to.equal(0);
  });

  it('is no page for others: by another name, or through a router', async () => {
    expect(await statusOf({ host: 'localhost:3000' })).to.equal(200);
    expect(await statusOf({ host: '[::1]:3000' })).to.equal(200);
    // A page of another site whose name leads to 127.0.0.1 sends that name.
    for (const host of ['market.example.com', 'localhost.example.com', '192.168.1.7:3000']) {
      expect(await statusOf({ host }), host).to.equal(404);
    }
    const common = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'via'];
    const tunnels = ['x-forwarded-proto', 'cf-connecting-ip', 'true-client-ip'];
    for (const name of [
      ...common,
      ...tunnels,
      'x-envoy-external-address',
      'tailscale-user-login',
    ]) {
      expect(await statusOf({ host: 'localhost', [name]: '127.0.0.1' }), name).to.equal(404);
    }
    const named = new BrowserLike(platform);
    const sent = await named.post('/start', { code: CODE }, { 'x-forwarded-for': '203.0.113.7' });
    expect(sent.status).to.equal(404);
    expect(await sessions()).to.equal(0);
  });

  it('is no page for another machine, which tests cannot be', async () => {
    const sending = startRoutes({ context: platform.context } as Console).find(
      ({ route }) => route === 'POST /start',
    )!;
    const codeFor = (remoteAddress: string) => {
      const req = { headers: { host: 'localhost:3000' }, socket: { remoteAddress } };
      const ctx = { req, get: () => '', state: { address: remoteAddress } };
      return Promise.resolve(sending.handle(ctx as unknown as HttpContext)).then(
        () => 'taken',
        (error: unknown) => refusalOf(error).code,
      );
    };
    for (const peer of ['10.0.0.9', '203.0.113.7', '::ffff:192.168.1.7', 'fd00::1', '']) {
      expect(await codeFor(peer), peer).to.equal('not_found');
    }
    // Looked at, and refused for what else is missing.
    for (const peer of ['127.0.0.1', '::ffff:127.0.0.1', '::1']) {
      expect(await codeFor(peer), peer).to.equal('forbidden');
    }
  });

  it('is over after a day', async () => {
    const old = codeAt(Date.now() - 86_400_000 - 1);
    const late = await TestPlatform.open({ workers: false, env: { START_LINK: old } });
    expect((await new BrowserLike(late).post('/start', { code: old })).status).to.equal(401);
    await late.close();
  });

  it('does not exist in production, whatever is set', () => {
    const { agents } = readConfig({ ...GOOD, START_LINK: CODE });
    expect(agents.startLink).to.equal(undefined);
    const { agents: local } = readConfig({ ...GOOD, NODE_ENV: 'development', START_LINK: CODE });
    expect(local.startLink!.code).to.equal(CODE);
    const malformed = { ...GOOD, NODE_ENV: 'development', START_LINK: 'letmein' };
    expect(() => readConfig(malformed)).to.throw(/START_LINK/);
  });

  for (const [what, env] of Object.entries({
    'without one': {},
    'where people reach it by another address': {
      START_LINK: CODE,
      PUBLIC_URL: 'https://market.example.com',
    },
  })) {
    it(`does not exist ${what}`, async () => {
      const other = await TestPlatform.open({ workers: false, env });
      expect(await statusOf({ host: 'localhost' }, { at: other })).to.equal(404);
      await other.close();
    });
  }
});
