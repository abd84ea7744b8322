import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { OAuthRig, type Said } from '../rig.ts';

/** One client of the corpus: what it sends, and where that is known from. */
interface Client {
  readonly client: string;
  readonly registration: Said;
  readonly initialize: { readonly protocolVersion: string };
  /** The id of its first message. */
  readonly id: number | string;
  readonly userAgent?: string;
  /** The callback that it names at its sign-in, if it is not the first one of its registration. */
  readonly callback?: string;
  readonly scope?: string;
  /** Empty: it names none. */
  readonly resource?: string;
  readonly nonce?: string;
  readonly sources: readonly string[];
}

const file = new URL('clients.json', import.meta.url);
const { clients } = JSON.parse(readFileSync(file, 'utf8')) as { clients: readonly Client[] };

describe('clients as they really are', () => {
  let rig: OAuthRig;
  let username: string;
  before(async () => {
    rig = await OAuthRig.open({ workers: false });
    ({ username } = await rig.platform.agent());
  });
  after(() => rig.close());

  for (const client of clients) {
    it(`${client.client} registers, signs in, greets, lists tools and refreshes`, async () => {
      const agent = { 'user-agent': client.userAgent ?? 'node' };
      const reply = await rig.post('/oauth/register', client.registration, agent);
      const known = (await reply.json()) as Said;
      expect(reply.status, JSON.stringify(known)).to.equal(201);
      expect(Object.values(known)).not.to.include(null);
      expect(known.redirect_uris).to.deep.equal(client.registration.redirect_uris);

      const over = {
        scope: client.scope ?? '',
        ...(client.callback !== undefined && { redirect_uri: client.callback }),
        ...(client.resource !== undefined && { resource: client.resource }),
        ...(client.nonce !== undefined && { nonce: client.nonce }),
      };
      const flow = await rig.authorize(known, { username }, over);
      expect(flow.back.get('iss'), String(flow.back)).to.equal(`${rig.origin}/oauth`);
      const tokens = await flow.exchange();
      expect(tokens, JSON.stringify(tokens)).to.include({ scope: 'read buy' });

      const headers = {
        ...agent,
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${tokens.access_token}`,
      };
      const send = (message: object, more = {}) =>
        rig.post('/mcp', { jsonrpc: '2.0', ...message }, { ...headers, ...more });
      const { initialize: params, id } = client;
      const greeting = await answerOf(await send({ id, method: 'initialize', params }));
      expect(greeting).to.deep.include({ id });
      const version = greeting.result.protocolVersion as string;
      expect(version).to.equal(params.protocolVersion);
      const spoken = { 'mcp-protocol-version': version };
      const done = await send({ method: 'notifications/initialized' }, spoken);
      expect(done.status).to.equal(202);
      const listed = await answerOf(await send({ id: 7, method: 'tools/list' }, spoken));
      const names = (listed.result.tools as { name: string }[]).map(({ name }) => name);
      expect(names).to.include.members(['search_assets', 'purchase_product', 'get_wallet']);

      const mayRefresh = (known.grant_types as string[]).includes('refresh_token');
      expect(tokens.refresh_token !== undefined).to.equal(mayRefresh);
      if (!mayRefresh) return;
      expect(await flow.refresh(tokens.refresh_token)).to.have.property('access_token');
    });
  }

  it('are at least twenty, and each says where it is known from', () => {
    expect(clients).to.have.length.at.least(20);
    expect(new Set(clients.map(({ client }) => client))).to.have.property('size', clients.length);
    for (const { client, sources } of clients) expect(sources, client).not.to.have.length(0);
  });
});

/** The message of an answer, which may be an event of a stream. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read any answer
async function answerOf(response: Response): Promise<any> {
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1];
  return JSON.parse(data ?? text);
}
