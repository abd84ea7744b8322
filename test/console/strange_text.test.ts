// test:all: the forms for signing in get strange text.
import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { BrowserLike, owner, PASSWORD } from './browser_like.ts';

const STRANGE = ['a\u0000b', '\u{1d160}'.repeat(64), 'x'.repeat(9_000), '\u202e\u{e0041}'];

describe('strange text in a form', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  it('signs nobody in, and is no failure', async () => {
    const { username } = await platform.agent();
    for (const text of STRANGE) {
      for (const [kind, fields] of [
        ['console', { name: text, secret: PASSWORD }],
        ['console', { name: username, secret: text }],
        ['console', { name: username, secret: PASSWORD, ticket: text, code: text }],
        ['console', { _passkey: text }],
        ['console', { _passkey: JSON.stringify({ id: text, response: {} }) }],
        ['console', { name: username, secret: 'wrong horse', next: text }],
        ['admin', { name: text, secret: text }],
      ] as const) {
        const browser = new BrowserLike(platform);
        const { status } = await browser.post(`/${kind}/login`, fields);
        expect(status, JSON.stringify([kind, fields])).to.be.within(400, 499);
        expect(browser.cookies.size).to.equal(0);
      }
    }
  });

  it('registers nobody', async () => {
    const count = async () => (await platform.query('select from agent')).length;
    const before = await count();
    for (const text of STRANGE) {
      for (const field of ['username', 'email', 'password']) {
        const form = { username: 'somebody', email: 'some@example.com', password: PASSWORD };
        const fields = { ...form, [field]: field === 'password' ? `\u0000${text}` : text };
        const reply = await new BrowserLike(platform).post('/do/register_agent', fields);
        expect(reply.status, JSON.stringify(fields)).to.be.within(400, 499);
      }
    }
    expect(await count()).to.equal(before);
  });

  it('changes nothing of an account, and finds nothing', async () => {
    const { browser, agent } = await owner(platform);
    for (const text of STRANGE) {
      for (const [path, fields] of [
        ['/console/account/passkeys/add', { name: text, made: text }],
        ['/console/account/passkeys/add', { name: 'mine', made: `{"id":"\\u0000"}` }],
        ['/console/account/passkeys/rename', { name: text, passkey: '1' }],
        ['/console/account/passkeys/rename', { name: 'mine', passkey: text }],
        ['/console/account/sessions', { session: text }],
        ['/console/account/password', { secret: text, password: PASSWORD }],
        ['/console/account/settings', { zone: text, theme: text, dates: text }],
        ['/console/do/spawn_agent', { name: text, _back: text }],
        ['/console/do/create_key', { name: text, scopes: 'read', _key: text }],
        [`/console/do/${encodeURIComponent(text.slice(0, 200))}`, { name: text }],
      ] as const) {
        const { status } = await browser.post(path, fields);
        expect(status, JSON.stringify([path, fields])).to.be.within(200, 499);
      }
      const q = encodeURIComponent(text.slice(0, 1_000));
      for (const path of [
        'find?query=',
        'find?q=',
        'money?kind=',
        'orders?status=',
        'live?kinds=',
      ]) {
        if (path.startsWith('live')) continue;
        const { status } = await browser.get(`/console/${path}${q}`);
        expect(status, path).to.be.below(500);
      }
    }
    const children = 'select username from agent where owner_id = $1';
    expect(await platform.query(children, [agent.id])).to.deep.equal([]);
    const { status } = await platform.request('GET /api/v1/agent/me', { key: agent.key });
    expect(status).to.equal(200);
  });
});
