import { expect } from 'chai';

import { mistyped } from '../../../agents/mistyped.ts';
import { CURSOR, OAuthRig, type Said } from '../rig.ts';

const CALLBACK = 'https://app.example/callback';
const LOOPBACK = 'http://localhost:8787/callback';

describe('an app that deviates from the letter of OAuth', () => {
  let rig: OAuthRig;
  let how: { username: string };
  before(async () => {
    rig = await OAuthRig.open({ workers: false });
    const { username } = await rig.platform.agent();
    how = { username };
  });
  after(() => rig.close());

  const UNDERSTOOD: readonly [what: string, said: object, kept?: object][] = [
    [
      'null in each member',
      {
        client_name: null,
        client_uri: null,
        logo_uri: null,
        scope: null,
        contacts: null,
        grant_types: null,
        response_types: null,
        application_type: null,
        software_id: null,
        jwks: null,
      },
      { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    ],
    ['empty texts and lists', { client_name: '', client_uri: '', grant_types: [], contacts: [] }],
    [
      'a grant for devices',
      {
        grant_types: [
          'authorization_code',
          'refresh_token',
          'urn:ietf:params:oauth:grant-type:device_code',
        ],
      },
      { grant_types: ['authorization_code', 'refresh_token'] },
    ],
    [
      'grants as one text',
      { grant_types: 'authorization_code' },
      { grant_types: ['authorization_code'] },
    ],
    ['a grant that is null', { grant_types: ['authorization_code', null] }],
    [
      'response types of OpenID',
      { response_types: ['code', 'id_token', 'code id_token', 'none'] },
      { response_types: ['code'] },
    ],
    ['a key of its own', { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [] } }],
    ['a name that is a number', { client_name: 7 }],
    ['a name of spaces', { client_name: '  ' }],
    ['one redirect_uri, not in a list', { redirect_uris: CALLBACK }],
    ['a redirect_uri that is null', { redirect_uris: [CALLBACK, null] }],
    [
      'members that nobody knows',
      {
        subject_type: 'pairwise',
        default_max_age: -1,
        id_token_signed_response_alg: 'RS256',
        userinfo_encrypted_response_alg: 'RSA1_5',
        request_object_signing_alg: 'none',
        dpop_bound_access_tokens: true,
        post_logout_redirect_uris: ['javascript:1'],
        scope: 'openid profile email offline_access mcp:tools',
        x_tenant: { id: 1 },
      },
    ],
  ];
  for (const [what, said, kept = {}] of UNDERSTOOD) {
    it(`registers with ${what}`, async () => {
      const none = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
      const reply = await rig.post('/oauth/register', { ...none, ...said });
      const known = (await reply.json()) as Said;
      expect(reply.status, JSON.stringify(known)).to.equal(201);
      expect(known).to.deep.include({
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: 'none',
        response_types: ['code'],
        ...kept,
      });
      expect(Object.values(known), 'null is not echoed').not.to.include(null);
      expect(known).not.to.have.any.keys('scope', 'x_tenant', 'jwks', 'client_secret');
      const flow = await rig.authorize(known, how);
      expect(await flow.exchange()).to.have.property('access_token');
    });
  }

  const UNUSABLE: readonly [what: string, said: object, error: string][] = [
    ['a grant without its owner', { grant_types: ['client_credentials'] }, 'client_metadata'],
    ['no code', { response_types: ['id_token', 'token'] }, 'client_metadata'],
    ['no redirect_uri but null', { redirect_uris: [null] }, 'redirect_uri'],
    ['a text in place of lists', { redirect_uris: 'http://evil.example/cb' }, 'redirect_uri'],
  ];
  for (const [what, said, error] of UNUSABLE) {
    it(`is told at registration that ${what} is of no use`, async () => {
      const reply = await rig.post('/oauth/register', { redirect_uris: [CALLBACK], ...said });
      expect(reply.status).to.equal(400);
      expect(await reply.json()).to.include({ error: `invalid_${error}` });
    });
  }

  const ASKED: readonly [what: string, over: Record<string, string>, scope?: string][] = [
    ['a nonce without openid', { nonce: 'n-0S6_WzA2Mj' }],
    ['max_age and acr_values without openid', { max_age: '0', acr_values: 'urn:mace:silver' }],
    ['scopes of OpenID alone', { scope: 'openid profile email' }],
    ['scopes of OpenID beside ours', { scope: 'openid read offline_access' }, 'read'],
    ['prompt=select_account', { prompt: 'select_account' }],
    ['prompt=login consent', { prompt: 'login consent' }],
  ];
  for (const [what, over, scope = 'read buy'] of ASKED) {
    it(`signs in with ${what}`, async () => {
      const flow = await rig.authorize(CURSOR, how, over);
      const tokens = await flow.exchange(over.scope === undefined ? {} : { scope: over.scope });
      expect(tokens, String(flow.back)).to.include({ scope });
      expect(tokens).not.to.have.property('id_token');
      const [scopes] = [over.scope ?? 'read'];
      const form = { grant_type: 'refresh_token', client_id: flow.clientId, scope: scopes };
      const body = new URLSearchParams({ ...form, refresh_token: tokens.refresh_token });
      expect(await (await rig.post('/oauth/token', body)).json()).to.have.property('access_token');
    });
  }

  for (const method of ['client_secret_basic', 'client_secret_post']) {
    it(`has a secret if it asks for ${method}, and gets no token without it`, async () => {
      const said = { client_name: 'x', redirect_uris: [CALLBACK] };
      const known = await rig.register({ ...said, token_endpoint_auth_method: method });
      const { client_id, client_secret } = known;
      expect(known).to.include({ token_endpoint_auth_method: method, client_secret_expires_at: 0 });
      const { back } = await rig.authorize(known, how);
      const exchange = async (secret: string | undefined) => {
        const isPosted = method === 'client_secret_post';
        const form = new URLSearchParams({
          grant_type: 'authorization_code',
          code: back.get('code')!,
          redirect_uri: CALLBACK,
          code_verifier: 'v'.repeat(43),
          ...((isPosted || secret === undefined) && { client_id }),
          ...(isPosted && secret !== undefined && { client_secret: secret }),
        });
        const basic = Buffer.from(`${client_id}:${secret}`).toString('base64');
        const headers = isPosted || secret === undefined ? {} : { authorization: `Basic ${basic}` };
        return (await rig.post('/oauth/token', form, headers)).json();
      };
      for (const wrong of [undefined, mistyped(client_secret, 3), 'x']) {
        expect(await exchange(wrong), wrong).to.include({ error: 'invalid_client' });
      }
      expect(await exchange(client_secret)).to.have.property('access_token');
      const again = await rig.register({ ...said, token_endpoint_auth_method: method });
      expect(again.client_secret).to.equal(client_secret);
    });
  }

  it('has a secret on the web also if it does not say, and none on its own machine', async () => {
    const saying = async (uri: string, method: unknown) =>
      rig.register({ redirect_uris: [uri], token_endpoint_auth_method: method });
    const basic = { token_endpoint_auth_method: 'client_secret_basic' };
    expect(await saying(CALLBACK, undefined))
      .to.include(basic)
      .and.have.property('client_secret');
    expect(await saying(CALLBACK, null))
      .to.include(basic)
      .and.have.property('client_secret');
    for (const known of [await saying(LOOPBACK, undefined), await saying(CALLBACK, 'none')]) {
      expect(known).to.include({ token_endpoint_auth_method: 'none' });
      expect(known).not.to.have.property('client_secret');
    }
  });

  it('may send the key that it was configured with to the end points of OAuth', async () => {
    const authorization = 'Bearer vnx_a_key_of_before';
    const said = { ...CURSOR, token_endpoint_auth_method: 'none' };
    const reply = await rig.post('/oauth/register', said, { authorization });
    const known = (await reply.json()) as Said;
    const { back } = await rig.authorize(known, { ...how, headers: { authorization } });
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: known.client_id!,
      code: back.get('code')!,
      redirect_uri: known.redirect_uris![0]!,
      code_verifier: 'v'.repeat(43),
    });
    const tokens = await rig.post('/oauth/token', form, { authorization });
    expect(await tokens.json()).to.have.property('access_token');
  });

  it('that asks without an owner being there is told that one is needed', async () => {
    const { back } = await rig.authorize(CURSOR, how, { prompt: 'none' });
    expect(back.get('error')).to.match(/^(login|consent|interaction)_required$/);
  });
});
