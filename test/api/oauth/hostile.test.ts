import { expect } from 'chai';

import { untilWaiting } from '../../in_queue.ts';
import { CURSOR, OAuthRig, type Said } from './rig.ts';

describe('what must not get a token', () => {
  let rig: OAuthRig;
  let owner: { id: number; key: string; username: string };
  before(async () => {
    rig = await OAuthRig.open({ workers: false });
    owner = await rig.platform.agent({ usd: 10 });
  });
  after(() => rig.close());

  const tokens = async (): Promise<number> => {
    const sql = 'select count(*)::int as n from api_key where connection_id is not null';
    return (await rig.platform.query(sql))[0].n;
  };

  const CASES: readonly [string, Said, Record<string, string>, string][] = [
    ['no PKCE', CURSOR, { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['PKCE without a hash', CURSOR, { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a foreign resource', CURSOR, { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['another path as resource', CURSOR, { resource: 'http://127.0.0.1/mcp' }, 'invalid_target'],
    [
      'javascript: as callback',
      { redirect_uris: ['javascript:alert(1)'] },
      {},
      'invalid_redirect_uri',
    ],
    ['no callback at all', { client_name: 'x', redirect_uris: [] }, {}, 'invalid_redirect_uri'],
    [
      'a name and callbacks that are too long',
      { client_name: 'x'.repeat(3_000), redirect_uris: ['https://app.example/cb'] },
      {},
      'invalid_client_metadata',
    ],
    [
      'tokens without a code',
      { ...CURSOR, response_types: ['token'] },
      { response_type: 'token' },
      'invalid_client_metadata',
    ],
  ];
  for (const [what, said, over, error] of CASES) {
    it(`${what}: ${error}`, async () => {
      const before = await tokens();
      const { back } = await rig.authorize(said, { username: owner.username }, over);
      expect(back.get('error'), String(back)).to.equal(error);
      expect(await tokens()).to.equal(before);
    });
  }

  it('a callback that was not registered is not sent to', async () => {
    const over = { redirect_uri: 'https://evil.example/cb' };
    const { back } = await rig.authorize(CURSOR, { username: owner.username }, over);
    expect(back.get('refused')).to.equal('400');
    expect(back.get('text')).to.contain('This cannot go on').and.contain('redirect_uri');
  });

  it('an id that we did not sign is no client', async () => {
    const { client_id: id } = await rig.register(CURSOR);
    const [kind, text, seal] = id.split('.');
    const other = Buffer.from(JSON.stringify(['Claude', ['https://evil.example/cb']]));
    for (const wrong of [
      [kind, other.toString('base64url'), seal].join('.'),
      [kind, text, `${seal.slice(0, -4)}AAAA`].join('.'),
      'dcr..',
      'unknown',
    ]) {
      const said = { client_id: wrong, redirect_uris: ['https://evil.example/cb'] };
      const { back } = await rig.authorize(said, { username: owner.username });
      expect(back.get('refused'), wrong).to.equal('400');
    }
  });

  it('a wrong password, and the page says no more than that', async () => {
    const before = await tokens();
    const texts: string[] = [];
    for (const username of [owner.username, 'nobody-has-this-name']) {
      const how = { username, password: 'wrong' };
      const { back } = await rig.authorize(CURSOR, how);
      expect(back.get('refused')).to.equal('401');
      const text = back.get('text')!.replaceAll(username, '<name>');
      texts.push(text.replace(/req_\w+/, '<request>'));
    }
    expect(texts[0]).to.equal(texts[1]);
    expect(texts[0]).to.contain('The name or the password is wrong').and.not.contain('wrong"');
    expect(await tokens()).to.equal(before);
  });

  it('the right password after ten wrong ones, from a browser that nobody knows', async () => {
    const { username } = await rig.platform.agent();
    const before = await tokens();
    for (let n = 0; n < 10; n += 1) {
      const { back } = await rig.authorize(CURSOR, { username, password: `wrong ${n}` });
      expect(back.get('refused')).to.equal('401');
    }
    const { back } = await rig.authorize(CURSOR, { username });
    expect(back.get('refused')).to.equal('429');
    expect(await tokens()).to.equal(before);
  });

  it('a form that is sent from another site, or from nowhere', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site', origin: rig.origin },
      { 'sec-fetch-site': 'same-site', origin: rig.origin },
    ]) {
      const { back } = await rig.authorize(CURSOR, { username: owner.username, headers });
      expect(back.get('refused'), JSON.stringify(headers)).to.equal('403');
      expect(back.get('text')).to.contain('came from another site');
    }
  });

  it('a password that is sent without TLS to another machine', async () => {
    // It leads to this machine, and is not one of the addresses that are known to.
    const open = await OAuthRig.open({ host: '0.0.0.0', workers: false });
    try {
      const { username } = await open.platform.agent();
      const { back } = await open.authorize(CURSOR, { username });
      expect(back.get('refused')).to.equal('403');
      expect(back.get('text')).to.contain('Passwords are taken over HTTPS only');
    } finally {
      await open.close();
    }
  });

  it('nothing ticked, or a limit that is no amount', async () => {
    for (const how of [{ scopes: ['sell'] }, { limit: '-1' }, { limit: '5,00' }, { limit: '' }]) {
      const { back } = await rig.authorize(CURSOR, { username: owner.username, ...how });
      expect(back.get('refused'), JSON.stringify(how)).to.equal('422');
    }
  });

  it('the page shows who asks, where one is sent back to, and cannot be framed', async () => {
    const pages: [Response, string][] = [];
    const said = { client_name: '<b>Claude & Co</b>', redirect_uris: ['https://evil.example/cb'] };
    const onPage = (response: Response, text: string) => void pages.push([response, text]);
    await rig.authorize(said, { username: owner.username, answer: 'deny', onPage });
    const [shown, text] = pages.find(([response]) => response.status === 200)!;
    expect(text)
      .to.contain('chose this name itself')
      .and.contain('<strong>evil.example</strong>')
      .and.contain('&lt;b>Claude &amp; Co')
      .and.not.contain('<b>Claude');
    const policy = shown.headers.get('content-security-policy');
    expect(policy)
      .to.contain(`default-src 'none'`)
      .and.contain(`frame-ancestors 'none'`)
      .and.contain(`form-action 'self' https://evil.example`);
    expect(shown.headers.get('cache-control')).to.equal('no-store');
    expect(shown.headers.get('access-control-allow-origin')).to.equal(null);
  });

  it('the page of another browser', async () => {
    let page = '';
    const onPage = (response: Response) => (page ||= response.headers.get('location') ?? '');
    await rig.authorize(CURSOR, { username: owner.username, answer: 'deny', onPage });
    const response = await rig.get(page);
    expect(response.status).to.equal(400);
    expect(await response.text()).to.contain('another browser');
  });

  it('registrations leave no row, and the same app gets the same id', async () => {
    const rows = async () =>
      (await rig.platform.query('select count(*)::int as n from oauth_item'))[0].n;
    const before = await rows();
    const ids = new Set<string>();
    for (let n = 0; n < 200; n += 1) {
      const { client_id: id } = await rig.register({ ...CURSOR, client_name: `bot ${n % 2}` });
      ids.add(id);
    }
    expect(ids.size).to.equal(2);
    expect(await rows()).to.equal(before);
  });

  it('a code after a minute', async () => {
    const flow = await rig.authorize(CURSOR, { username: owner.username });
    await rig.platform.query(`
      update oauth_item set expires_at = expires_at - interval '61 seconds'
       where model = 'AuthorizationCode'`);
    expect(await flow.exchange()).to.include({ error: 'invalid_grant' });
  });

  it('a form that is read in no or in two ways, which is answered with the page for a person', async () => {
    const { username } = owner;
    const how = { headers: { 'sec-fetch-site': 'same-origin' } };
    const asPlainText = { headers: { ...how.headers, 'content-type': 'text/plain' } };
    for (const [form, status] of [
      [{ username, limit: '5\u0000' }, '422'],
      [{ username: `${username}\ud800`, password: '\u0000' }, '422'],
      [{ username, ...asPlainText }, '400'],
      [{ username, answer: 'Deny' }, '422'],
      [{ username, answer: '' }, '422'],
    ] as const) {
      const { back } = await rig.authorize(CURSOR, { ...how, ...form });
      expect(back.get('refused')).to.equal(status);
      expect(back.get('text')).to.match(/^<!doctype html>.*role="alert".*name="secret"/is);
    }
  });

  it('a code while its owner ends the connection', async () => {
    const flow = await rig.authorize(CURSOR, { username: owner.username });
    const before = await tokens();
    const ending = rig.platform.context.database.createQueryRunner();
    await ending.startTransaction();
    const sql = 'update connection set revoked_at = clock_timestamp() where owner_id = $1';
    await ending.query(sql, [owner.id]);
    const exchanged = flow.exchange();
    await untilWaiting(rig.platform, 1);
    await ending.commitTransaction();
    await ending.release();
    expect(await exchanged).to.include({ error: 'invalid_grant' });
    expect(await tokens()).to.equal(before);
  });

  it('a code with another verifier, or of another client', async () => {
    const wrong = [
      { code_verifier: 'w'.repeat(43) },
      { client_id: (await rig.register(VS_CODE)).client_id },
    ];
    for (const fields of wrong) {
      const flow = await rig.authorize(CURSOR, { username: owner.username });
      expect(await flow.exchange(fields)).to.include({ error: 'invalid_grant' });
    }
  });

  it('what is kept cannot be used by who reads it', async () => {
    const flow = await rig.authorize(CURSOR, { username: owner.username });
    const { access_token: access, refresh_token: refresh } = await flow.exchange();
    const rows = await rig.platform.query(
      `select (select json_agg(i)::text from oauth_item i) || (select json_agg(k)::text from api_key k)
         as text`,
    );
    for (const secret of [access, refresh, flow.back.get('code')!]) {
      expect(rows[0].text).not.to.contain(secret);
    }
  });
});

const VS_CODE = { client_name: 'VS Code', redirect_uris: ['http://127.0.0.1:33418/'] };
