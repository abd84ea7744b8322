// test:all: a MySQL of its own is started with certificates.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import { createConnection } from 'mysql2/promise';

import { startMariaDb } from '../../local/mariadb/mariadb.ts';
import type { Server } from '../../local/processes/server.ts';
import { child, endChildren, openPlatform } from '../faults/children.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { startNameServer, type NameServer } from '../name_server.ts';
import { makeCertificate, makeIssuer } from '../platform/egress/certificates.ts';
import { access, checked, create, offer } from './offer.ts';

const HOST = 'db.seller.example';
const EGRESS = { EGRESS_ALLOW: '127.0.0.0/8' };

describe('datasets of a MySQL server with TLS', function () {
  this.timeout(60_000);

  const folder = mkdtempSync(join(tmpdir(), 'mysql-tls-'));
  const authority = makeIssuer('An authority of MySQL');
  const file = (name: string) => join(folder, name);
  let names: NameServer;
  let secure: Server;
  let plain: Server;
  let platform: TestPlatform;
  let seller: Awaited<ReturnType<TestPlatform['agent']>>;

  const present = ({ cert, key }: { cert: string; key: string }) => {
    writeFileSync(file('cert.pem'), cert);
    writeFileSync(file('key.pem'), key);
  };

  before(async () => {
    present(makeCertificate({ host: HOST }, authority));
    writeFileSync(file('authority.pem'), authority.cert);
    names = await startNameServer((type) =>
      type === 'A' ? [{ type: 'A', name: HOST, data: '127.0.0.1' }] : [],
    );
    const env = { ...EGRESS, DNS_SERVERS: names.address };
    const settings = [`--ssl-cert=${file('cert.pem')}`, `--ssl-key=${file('key.pem')}`];
    [secure, plain, platform] = await Promise.all([
      startMariaDb({ settings }),
      startMariaDb({ settings: ['--skip-ssl'] }),
      openPlatform({ env, workers: false }),
    ]);
    const trust = { NODE_EXTRA_CA_CERTS: file('authority.pem') };
    seller = await platform.agent();
    await child(platform, 'test/faults/worker.ts', { ...env, ...trust });
    await asSeller(secure, `alter user 'seller'@'%' require ssl; create table cities (name text)`);
    await asSeller(plain, 'create table cities (name text)');
  });
  after(async () => {
    await endChildren();
    await Promise.all([secure.stop(), plain.stop(), platform.close(), names.close()]);
    await rm(folder, { recursive: true });
  });

  const open = (uri: string, options: object = {}) =>
    createConnection({ uri: uri.replace(/\?.*/, ''), multipleStatements: true, ...options });
  const byTls = { ssl: { ca: authority.cert, rejectUnauthorized: true, verifyIdentity: false } };
  async function asSeller(server: Server, sql: string) {
    const session = await open(
      server.url,
      server === secure ? { ssl: { rejectUnauthorized: false } } : {},
    );
    await session.query(sql);
    await session.end();
  }
  const connectionOf = ({ url, port }: Pick<Server, 'url' | 'port'>, fields: object = {}) => {
    const { password } = new URL(url);
    const from = { host: HOST, port, database: 'data', username: 'seller' };
    return { ...from, password, tables: ['cities'], ...fields };
  };
  const offerTables = async (server: Pick<Server, 'url' | 'port'>, fields: object = {}) => {
    const mysql = connectionOf(server, fields);
    const { dataset_id: id } = await offer(platform, seller, { type: 'mysql', mysql });
    return checked(platform, seller, id);
  };
  const opened = async (id: number) => {
    const reply = await eventually(
      () => access(platform, seller, id),
      ({ body }) => body.status !== 'granted',
    );
    return reply.body;
  };

  it('give users that must log in by TLS, and a connection string that says so', async () => {
    for (const [tls, mode] of [
      ['verified', 'VERIFY_IDENTITY'],
      ['required', 'REQUIRED'],
    ] as const) {
      const { dataset_id: id, newest } = await offerTables(secure, { tls });
      expect(newest).to.include({ status: 'active', fault: null });
      const { connection_string: uri, ...delivered } = await opened(id);
      const { username, password } = delivered;
      expect(delivered).to.include({ host: HOST, port: secure.port, database: 'data', tls });
      const at = `${username}:${password}@${HOST}:${secure.port}`;
      expect(uri).to.equal(`mysql://${at}/data?ssl-mode=${mode}`);
      const here = { host: '127.0.0.1' };
      const refused = await open(uri, here).catch((error: { code: string }) => error);
      expect(refused).to.have.property('code', 'ER_ACCESS_DENIED_ERROR');
      const session = await open(uri, { ...here, ...byTls });
      const [rows] = await session.query(`show status like 'Ssl_version'`);
      expect(JSON.stringify(rows)).to.include('TLSv1.3');
      await session.end();
    }
  });

  it('use TLS where a server offers it, and do without where it offers none', async () => {
    // The seller's own user of this server may log in by TLS only.
    const offered = await offerTables(secure);
    expect(offered.newest).to.include({ status: 'active', fault: null });
    const without = await offerTables(plain);
    expect(without.newest).to.include({ status: 'active', fault: null });
    const { connection_string, tls } = await opened(without.dataset_id);
    expect([connection_string.endsWith('/data'), tls]).to.deep.equal([true, 'preferred']);
    await (await open(connection_string, { host: '127.0.0.1' })).end();
  });

  it('are refused where there is no TLS, or a certificate that is not the host’s', async () => {
    for (const tls of ['required', 'verified']) {
      const { newest } = await offerTables(plain, { tls });
      expect(newest).to.include({ status: 'failed', fault: 'The server offers no TLS.' });
    }
    const other = await offerTables(secure, { tls: 'verified', host: 'other.seller.example' });
    expect(other.newest.fault).to.match(/^There is no TLS with it: .* does not match/);
    const mysql = connectionOf(secure, { tls: 'verified', host: '127.0.0.1' });
    const address = await create(platform, seller, { type: 'mysql', mysql });
    expect([address.status, address.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 422 && text.includes('must be a host name'),
    );
  });

  it('are refused with a certificate that its server has signed itself, if it is to be verified', async () => {
    present(makeCertificate({ host: HOST }));
    await asSeller(secure, 'flush ssl');
    const { newest } = await offerTables(secure, { tls: 'verified' });
    expect(newest.fault).to.equal('There is no TLS with it: self-signed certificate.');
    expect((await offerTables(secure, { tls: 'required' })).newest.status).to.equal('active');
  });

  it('of a server that sends without end are left', async () => {
    const flood = Buffer.alloc(64 * 1024, 0xff);
    const server = createServer((socket) => {
      const more = () => {
        while (socket.writable && socket.write(flood));
      };
      socket.on('drain', more).on('error', () => undefined);
      more();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { newest } = await offerTables({ ...plain, port });
    expect(newest.fault).to.equal('It cannot be reached: it sends too much.');
    server.close();
  });
});
