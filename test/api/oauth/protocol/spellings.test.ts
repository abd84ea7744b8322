import { expect } from 'chai';

import { CURSOR, OAuthRig } from '../rig.ts';

const CALLBACK = 'https://app.example/callback';
const LOOPBACK = 'http://localhost:8787/callback';

describe('an app that spells an address in another way', () => {
  let rig: OAuthRig;
  let how: { username: string };
  before(async () => {
    rig = await OAuthRig.open({ workers: false });
    const { username } = await rig.platform.agent();
    how = { username };
  });
  after(() => rig.close());

  const SPELLINGS: readonly [what: string, of: (origin: URL) => string][] = [
    ['a slash at its end', ({ origin }) => `${origin}/mcp/`],
    ['its host in capitals', ({ origin }) => `${origin.toUpperCase()}/mcp`],
    ['the origin', ({ origin }) => origin],
    ['the origin with a slash', ({ origin }) => `${origin}/`],
    ['a list by its path', ({ origin }) => `${origin}/mcp/lean`],
    ['a list that only reads', ({ origin }) => `${origin}/mcp/x/buyer/readonly`],
    ['the address for keys', ({ origin }) => `${origin}/api/v1/mcp`],
    ['a list at the address for keys', ({ origin }) => `${origin}/api/v1/mcp/core/`],
    ['a list by its query', ({ origin }) => `${origin}/mcp?tools=core`],
    ['the stream', ({ origin }) => `${origin}/api/v1/mcp/sse`],
  ];
  for (const [what, of] of SPELLINGS) {
    it(`names as resource ${what}, and another spelling for its tokens`, async () => {
      const flow = await rig.authorize(CURSOR, how, { resource: of(new URL(rig.origin)) });
      const tokens = await flow.exchange({ resource: rig.resource });
      expect(tokens, String(flow.back)).to.include({ scope: 'read buy' });
      const { status } = await rig.mcp(tokens.access_token, 'tools/list', {}, '/api/v1/mcp/lean');
      expect(status).to.equal(200);
    });
  }

  it('gets no token for a resource of somebody else, whatever it was allowed', async () => {
    const flow = await rig.authorize(CURSOR, how);
    const refused = await flow.exchange({ resource: 'https://evil.example/mcp' });
    expect(refused).to.include({ error: 'invalid_target' });
  });

  const PLACES: readonly [registered: string, asked: string, isOne: boolean][] = [
    [LOOPBACK, 'http://127.0.0.1:8787/callback', true],
    [LOOPBACK, 'http://[::1]:40123/callback', true],
    ['http://127.0.0.1/callback', 'http://localhost:40123/callback', true],
    ['http://[::1]:1/callback', 'http://127.0.0.1/callback', true],
    ['http://127.0.0.1:1', 'http://LOCALHOST:2/', true],
    [LOOPBACK, 'http://127.0.0.1:8787/other', false],
    [LOOPBACK, 'http://127.0.0.1:8787/callback/', false],
    [LOOPBACK, 'http://127.0.0.1:8787/callback?next=1', false],
    [LOOPBACK, 'https://127.0.0.1:8787/callback', false],
    [LOOPBACK, 'http://127.0.0.2:8787/callback', false],
    [LOOPBACK, 'http://localhost.evil.example:8787/callback', false],
    [LOOPBACK, 'http://127.0.0.1:8787@evil.example/callback', false],
    [LOOPBACK, 'http://evil.example\\@127.0.0.1:8787/callback', false],
    [LOOPBACK, 'http://2130706433:8787/callback', false],
    ['https://localhost:8787/callback', 'http://127.0.0.1:8787/callback', false],
  ];
  for (const [registered, asked, isOne] of PLACES) {
    it(`${registered} is ${isOne ? '' : 'not '}${asked}`, async () => {
      const said = { client_name: 'x', redirect_uris: [registered] };
      const flow = await rig.authorize(said, how, { redirect_uri: asked });
      if (!isOne) return void expect(flow.back.get('refused'), String(flow.back)).to.equal('400');
      expect(await flow.exchange(), String(flow.back)).to.have.property('access_token');
      // The code is bound to the spelling that was asked for.
      const other = await rig.authorize(said, how, { redirect_uri: asked });
      expect(await other.exchange({ redirect_uri: registered })).to.include({
        error: 'invalid_grant',
      });
    });
  }
});

describe('a marketplace whose host is beyond ASCII', () => {
  let rig: OAuthRig;
  before(async () => {
    rig = await OAuthRig.open({ workers: false, env: { PUBLIC_URL: 'https://märkt.example' } });
  });
  after(() => rig.close());

  it('is meant by its name as people write it, in capitals, and in Punycode', async () => {
    const said = { client_name: 'x', redirect_uris: [CALLBACK] };
    const { body: known } = await rig.platform.request('POST /oauth/register', { body: said });
    for (const [host, isOurs] of [
      ['märkt.example', true],
      ['MÄRKT.example', true],
      ['xn--mrkt-loa.example', true],
      ['markt.example', false],
    ] as const) {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: known.client_id,
        redirect_uri: CALLBACK,
        resource: `https://${host}/mcp`,
        code_challenge: 'v'.repeat(43),
        code_challenge_method: 'S256',
      });
      const url = `${rig.platform.url}/oauth/authorize?${query}`;
      const { headers } = await fetch(url, { redirect: 'manual' });
      expect(headers.get('location'), host).to.match(
        isOurs ? /^\/oauth\/consent\// : /error=invalid_target/,
      );
    }
  });
});
