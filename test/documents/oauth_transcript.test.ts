import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { OAuthRig, PASSWORD } from '../api/oauth/rig.ts';
import { eventually } from '../harness.ts';
import { snippetsOf } from '../snippets.ts';
import { HERE, textOf } from './marketplace.ts';
import { Transcript } from './transcript.ts';

const PAGE = 'docs/connect/oauth.md';
const CALLBACK = 'http://localhost:8787/callback';
const METADATA = '/.well-known/oauth-authorization-server/oauth';
const VERIFIER = 'M25iVXpKU3puUjFaYWg3T1NDTDQtcW1ROUY5YXlwalNoc0hhakxifmZHag';

describe('the page on signing in', () => {
  let rig: OAuthRig;
  before(async () => (rig = await OAuthRig.open({ workers: false })));
  after(() => rig.close());

  it('shows each request and each answer as they are', async () => {
    const owner = await rig.platform.agent({ usd: 10 });
    const wire = new Transcript(rig.origin, HERE);
    wire.call(owner.username, 'olga');
    wire.call(new URLSearchParams({ p: PASSWORD }).toString().slice(2), 'PASSWORD');
    const callMe = (token?: string) =>
      wire.send('POST', '/mcp', {
        ...(token && { headers: { Authorization: `Bearer ${token}` } }),
        json: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'agent_me', arguments: {} },
        },
      });
    const token = async (form: Record<string, string>, number: number) => {
      const tokens = JSON.parse((await wire.send('POST', '/oauth/token', { form })).text);
      wire.call(tokens.access_token, `vnx_TOKEN_${number}`);
      wire.call(tokens.refresh_token, `REFRESH_${number}`);
      return tokens;
    };

    await callMe();
    await wire.send('GET', '/.well-known/oauth-protected-resource/mcp');
    await wire.send('GET', METADATA);
    const registered = await wire.send('POST', '/oauth/register', {
      json: {
        client_name: 'Notes',
        redirect_uris: [CALLBACK],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      },
    });
    const { client_id } = JSON.parse(registered.text);
    wire.call(client_id, 'dcr.CLIENT');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: CALLBACK,
      scope: 'read buy',
      state: 'af0ifjsldkj',
      resource: rig.resource,
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const { location: consent } = await wire.send('GET', `/oauth/authorize?${query}`);
    wire.call(consent.split('/').at(-1)!, 'SIGN_IN');
    await wire.send('GET', consent);
    const allowed = await wire.send('POST', consent, {
      headers: { Origin: rig.origin },
      form: {
        name: owner.username,
        secret: PASSWORD,
        scope: ['read', 'buy'],
        limit: '5',
        answer: 'allow',
      },
    });
    const back = await wire.send('GET', new URL(allowed.location).pathname);
    const code = new URL(back.location).searchParams.get('code')!;
    wire.call(code, 'CODE');
    const grant = { grant_type: 'authorization_code', client_id, code, redirect_uri: CALLBACK };
    const first = await token({ ...grant, code_verifier: VERIFIER }, 1);
    const me = await callMe(first.access_token);
    wire.call(JSON.parse(me.text).result.structuredContent.key.prefix, 'vnx_TOKEN_1');
    const { refresh_token } = first;
    const next = await token({ grant_type: 'refresh_token', client_id, refresh_token }, 2);
    await wire.send('POST', '/oauth/revoke', { form: { client_id, token: next.refresh_token } });
    await eventually(
      async () => (await rig.mcp(next.access_token, 'tools/list')).status,
      (status) => status === 401,
    );
    await callMe(next.access_token);

    const shown = snippetsOf(textOf(PAGE)).filter(({ language }) => language === 'http');
    expect(shown.map(({ text }) => text)).to.deep.equal(wire.shown());
  });
});
