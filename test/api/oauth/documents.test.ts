// test:all: what the documents show of OAuth is done by a shell.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { child, endChildren, openPlatform } from '../../faults/children.ts';
import { makeCertificate, makeIssuer } from '../../platform/egress/certificates.ts';
import { OAuthRig } from './rig.ts';

const EGRESS = { EGRESS_ALLOW: '127.0.0.0/8' };

/** A client like Codex (draft-ietf-oauth-client-id-metadata-document). */
describe('an app that is named by a document', function () {
  this.timeout(60_000);

  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  let rig: OAuthRig;
  let owner: { id: number; key: string; username: string };
  let server: Server;
  let id: string;
  const asked: string[] = [];

  before(async () => {
    const authority = makeIssuer('An authority of apps');
    server = createServer(makeCertificate({ host: '127.0.0.1' }, authority), (req, res) => {
      asked.push(req.url!);
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}${req.url}`;
      const said = {
        client_id: req.url === '/other.json' ? 'https://another.example/' : url,
        client_name: req.url === '/turned.json' ? '\u202exedoC' : 'Codex',
        redirect_uris: ['http://127.0.0.1/callback'],
        ...(req.url === '/long.json' && { logo_uri: `https://a.example/${'x'.repeat(6_000)}` }),
      };
      if (req.url === '/away.json') res.writeHead(302, { location: '/client.json' }).end();
      else res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    id = `https://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`;
    const trusted = join(folder, 'authority.pem');
    writeFileSync(trusted, authority.cert);
    rig = await OAuthRig.open(
      { env: { ...EGRESS, CLIENT_ID_DOCUMENTS: 'true' }, workers: false },
      openPlatform,
    );
    const trust = { ...EGRESS, NODE_EXTRA_CA_CERTS: trusted };
    [, owner] = await Promise.all([
      child(rig.platform, 'test/faults/worker.ts', trust),
      rig.platform.agent(),
    ]);
  });
  after(async () => {
    await endChildren();
    server.closeAllConnections();
    server.close();
    await rig.close();
    await rm(folder, { recursive: true });
  });

  const said = (clientId = id) => ({
    client_id: clientId,
    redirect_uris: ['http://127.0.0.1:35731/callback'],
  });

  it('connects without registering, from any port, and the page says who vouches for it', async () => {
    const texts: string[] = [];
    const onPage = (_: Response, text: string) => void texts.push(text);
    const flow = await rig.authorize(said(), { username: owner.username, onPage });
    expect(await flow.exchange()).to.include({ scope: 'read buy' });
    expect(texts.join()).to.contain('vouched for by').and.contain(new URL(id).host);
    const reply = await rig.platform.request('GET /api/v1/connections', { key: owner.key });
    expect(reply.body.connections[0]).to.include({ app: 'Codex', is_proven: true });
    const path = '/.well-known/oauth-authorization-server/oauth';
    const metadata = (await (await rig.get(path)).json()) as object;
    expect(metadata).to.include({ client_id_metadata_document_supported: true });
  });

  it('is one agent, whatever port it comes from', async () => {
    const over = { redirect_uri: 'http://127.0.0.1:1/callback' };
    await (await rig.authorize(said(), { username: owner.username }, over)).exchange();
    const reply = await rig.platform.request('GET /api/v1/connections', { key: owner.key });
    expect(reply.body.connections).to.have.length(1);
    // The document is kept for a while.
    expect(asked.filter((url) => url === '/client.json')).to.have.length(1);
  });

  it('is refused where the document names another, deceives, is too long, or elsewhere', async () => {
    const read = () => asked.filter((url) => url === '/client.json').length;
    const before = read();
    for (const name of ['other.json', 'turned.json', 'long.json', 'away.json']) {
      const flow = await rig.authorize(said(new URL(name, id).href), { username: owner.username });
      expect(flow.back.get('refused'), name).to.equal('400');
    }
    expect(read()).to.equal(before);
  });

  it('is refused where its address is not public', async () => {
    const before = asked.length;
    const inside = 'https://169.254.169.254/latest/client.json';
    const flow = await rig.authorize(said(inside), { username: owner.username });
    expect(flow.back.get('refused')).to.equal('400');
    expect(asked).to.have.length(before);
  });
});
