import { expect } from 'chai';

import { CURSOR, OAuthRig } from '../rig.ts';

const CALLBACK = 'https://app.example/callback';

describe('what an app says of itself', () => {
  let rig: OAuthRig;
  let owner: { username: string };
  before(async () => {
    rig = await OAuthRig.open({ workers: false });
    owner = await rig.platform.agent();
  });
  after(() => rig.close());

  const URIS: readonly [what: string, uri: unknown][] = [
    ['a user', 'https://market.example@evil.example/cb'],
    ['a user and a password', 'https://user:secret@app.example/cb'],
    ['a password alone', 'https://:secret@app.example/cb'],
    ['a user of a scheme of its own', 'cursor://user@anysphere/cb'],
    ['a wildcard as host', 'https://*.example.com/cb'],
    ['a wildcard in its path', 'https://app.example/*'],
    ['a wildcard that is encoded', 'https://app.example/%2A'],
    ['a wildcard as port', 'http://127.0.0.1:*/cb'],
    ['a fragment', `${CALLBACK}#x`],
    ['an empty fragment', `${CALLBACK}#`],
    ['a line break', 'https://app.example/\ncb'],
    ['a tab', 'https://app\t.example/cb'],
    ['NUL', 'https://app.example/\u0000'],
    ['a bidi override', 'https://app.example/\u202egnp.exe'],
    ['a backslash', 'https://evil.example\\@app.example/cb'],
    ['letters beyond ASCII', 'https://\u0430pp.example/cb'],
    ['no slashes', 'https:evil.example/cb'],
    ['one slash', 'https:/evil.example/cb'],
    ['an address as a number', 'http://2130706433:3000/cb'],
    ['no scheme', '/callback'],
    ['a number', 7],
  ];
  for (const [what, uri] of URIS) {
    it(`with ${what} in a redirect_uri: invalid_redirect_uri`, async () => {
      const redirect_uris = [CALLBACK, uri];
      const reply = await rig.post('/oauth/register', { client_name: 'x', redirect_uris });
      expect(reply.status).to.equal(400);
      const { error, error_description: why } = await reply.json();
      expect(error).to.equal('invalid_redirect_uri');
      expect(why).to.match(/^redirect_uris must (not hold|be) /);
    });
  }

  const OURS: readonly [what: string, uri: (own: URL) => string][] = [
    ['a page', ({ origin }) => `${origin}/console`],
    ['the root', ({ origin }) => origin],
    ['the end point of codes', ({ origin }) => `${origin}/oauth/token`],
    ['the other scheme', ({ host }) => `https://${host}/cb`],
    ['a name in capitals', ({ origin }) => `${origin.toUpperCase()}/cb`],
    ['another name of its machine', ({ port }) => `http://localhost:${port}/cb`],
    ['its machine in IPv6', ({ port }) => `http://[::1]:${port}/cb`],
    ['its machine with a dot', ({ port }) => `http://localhost.:${port}/cb`],
  ];
  for (const [what, uri] of OURS) {
    it(`with ${what} of the marketplace as redirect_uri: invalid_redirect_uri`, async () => {
      const redirect_uris = [CALLBACK, uri(new URL(rig.origin))];
      const reply = await rig.post('/oauth/register', { client_name: 'x', redirect_uris });
      expect(reply.status).to.equal(400);
      expect(await reply.json()).to.include({
        error: 'invalid_redirect_uri',
        error_description: 'redirect_uris must lead to the app, not to this marketplace',
      });
    });
  }

  it('that comes back to any port of its machine does not come back to our port', async () => {
    const { port } = new URL(rig.origin);
    const said = { client_name: 'x', redirect_uris: ['http://127.0.0.1/cb'] };
    const how = { username: owner.username };
    const to = (number: string) =>
      rig.authorize(said, how, { redirect_uri: `http://127.0.0.1:${number}/cb` });
    const { back } = await to(port);
    expect(back.get('refused')).to.equal('400');
    expect(back.get('text')).to.include('redirect_uri');
    expect((await to('8787')).back.get('code')).to.be.a('string');
  });

  const NAMES: readonly [what: string, name: string][] = [
    ['NUL', 'Claude\u0000'],
    ['a line break', 'Claude\nAllow everything'],
    ['an escape', '\u001b[2K'],
    ['a control of C1', 'Claude\u009b'],
    ['a bidi override', '\u202eedualC'],
    ['a bidi isolate', 'Claude\u2066'],
    ['a mark of the Arabic letter', 'Claude\u061c'],
    ['tag characters', 'Claude\u{e0041}\u{e0042}'],
    ['half of a pair', 'Claude\ud83d'],
  ];
  for (const [what, client_name] of NAMES) {
    it(`with ${what} in its name: invalid_client_metadata`, async () => {
      const said = { client_name, redirect_uris: [CALLBACK] };
      const reply = await rig.post('/oauth/register', said);
      expect(reply.status).to.equal(400);
      expect(await reply.json()).to.include({ error: 'invalid_client_metadata' });
    });
  }

  it('as clients in use say it is taken', async () => {
    for (const said of [
      CURSOR,
      { client_name: 'Claude Code (market)', redirect_uris: ['http://localhost:3118/callback'] },
      {
        client_name: 'VS Code',
        redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
      },
      {
        client_name: '\u304a\u5e97 \u0645\u062a\u062c\u0631 \u{1f6d2}',
        redirect_uris: ['com.example.app:/cb'],
      },
      { redirect_uris: ['http://[::1]:8787/cb?x=1&y=%20'] },
    ]) {
      const known = await rig.register(said);
      expect(known.client_id, JSON.stringify([said, known])).to.match(/^dcr\./);
    }
  });

  it('under an id of a release that refused less is no client', async () => {
    for (const [name, uri] of [
      ['x', 'https://user@app.example/cb'],
      ['\u202eedualC', CALLBACK],
    ] as const) {
      const values = [name, [uri], 'web', null, null, 'none'];
      const text = Buffer.from(JSON.stringify(values)).toString('base64url');
      const { hash } = rig.platform.context.secrets.hash('oauth-client', text);
      const client_id = `dcr.${text}.${hash.toString('base64url')}`;
      const { back } = await rig.authorize(
        { client_id, redirect_uris: [uri] },
        { username: owner.username },
      );
      expect(back.get('refused'), uri).to.equal('400');
    }
  });

  it('in parameters that are not text is refused, and is no failure', async () => {
    const { username } = owner;
    for (const text of ['\u0000', 'a\u0000b', '\u{1d160}'.repeat(500), '\u202e']) {
      for (const name of [
        'state',
        'scope',
        'resource',
        'code_challenge',
        'login_hint',
        'nonce',
        'prompt',
        'client_id',
        'redirect_uri',
        'response_mode',
        'ui_locales',
        'x_unknown',
      ]) {
        const { back } = await rig.authorize(CURSOR, { username }, { [name]: text });
        const refused = Number(back.get('refused') ?? 400);
        expect(refused, `${name} ${back.get('text') ?? ''}`).to.be.within(400, 499);
        if (name === 'state' && text.includes('\u0000')) {
          expect(back.get('error'), String(back)).to.equal('invalid_request');
        }
      }
      for (const path of ['/oauth/token', '/oauth/revoke']) {
        for (const grant_type of ['authorization_code', 'refresh_token', text]) {
          for (const name of [
            'client_id',
            'code',
            'refresh_token',
            'token',
            'redirect_uri',
            'scope',
          ]) {
            const { client_id } = await rig.register(CURSOR);
            const form = { grant_type, client_id, code: 'x', refresh_token: 'x', token: 'x' };
            const reply = await rig.post(path, new URLSearchParams({ ...form, [name]: text }));
            expect(reply.status, `${path} ${name}`).to.be.within(200, 499);
          }
        }
      }
    }
    // The form of consent.
    const how = { username: 'a\u0000b', limit: '5' };
    const { back } = await rig.authorize(CURSOR, how);
    expect(back.get('refused')).to.equal('422');
  });
});
