import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { Client } from 'basic-ftp';
import { expect } from 'chai';

import { startProftpd, type FtpServer } from '../../local/proftpd/proftpd.ts';
import { audit } from '../../shared/composition/audit.ts';
import { child, endChildren, openPlatform } from '../faults/children.ts';
import type { TestPlatform } from '../harness.ts';
import { buy } from '../orders/trade.ts';
import { makeCertificate, makeIssuer } from '../platform/egress/certificates.ts';
import { access, checked, offer } from './offer.ts';

const CSV = 'city,people\nOslo,717710\n';
const EGRESS = { EGRESS_ALLOW: '127.0.0.0/8' };

describe('datasets of an FTP server', function () {
  this.timeout(60_000);

  const folder = mkdtempSync(join(tmpdir(), 'ftp-'));
  const authority = makeIssuer('An authority of FTP');
  const servers: Record<'plain' | 'tls' | 'strange' | 'masked', FtpServer> = {} as never;
  let platform: TestPlatform;
  let seller: Awaited<ReturnType<TestPlatform['agent']>>;
  let buyer: typeof seller;

  before(async () => {
    const { cert, key } = makeCertificate({ host: '127.0.0.1' }, authority);
    const own = makeCertificate({ host: '127.0.0.1' });
    const trusted = join(folder, 'authority.pem');
    writeFileSync(trusted, authority.cert);
    // It names a private address for the data connection, and knows no command that names none.
    const settings = ['MasqueradeAddress 10.0.0.1', '<Limit EPSV>', 'DenyAll', '</Limit>'];
    [servers.plain, servers.tls, servers.strange, servers.masked] = await Promise.all([
      startProftpd(),
      startProftpd({ certificate: cert + key }),
      startProftpd({ certificate: own.cert + own.key }),
      startProftpd({ settings }),
    ]);
    for (const { files } of Object.values(servers)) {
      mkdirSync(join(files, 'cities'));
      writeFileSync(join(files, 'cities', 'norway.csv'), CSV);
    }
    platform = await openPlatform({ env: EGRESS, workers: false });
    [, seller, buyer] = await Promise.all([
      child(platform, 'test/faults/worker.ts', { ...EGRESS, NODE_EXTRA_CA_CERTS: trusted }),
      platform.agent(),
      platform.agent({ usd: 20 }),
    ]);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await endChildren();
    await Promise.all([...Object.values(servers).map((one) => one.stop()), platform.close()]);
    await rm(folder, { recursive: true });
  });

  const serverOf = (server: FtpServer, fields: object = {}) => ({
    host: '127.0.0.1',
    port: server.port,
    username: server.username,
    password: server.password,
    path: join(server.files, 'cities'),
    ...fields,
  });
  const offerFiles = async (ftp: object, fields: object = {}) => {
    const made = await offer(platform, seller, { type: 'ftp', price: 0.5, ftp, ...fields });
    return checked(platform, seller, made.dataset_id);
  };

  it('deliver credentials that were checked, sealed and recorded to those who paid', async () => {
    const ftp = serverOf(servers.plain);
    const { dataset_id: id, product_id, status, size_bytes } = await offerFiles(ftp);
    expect([status, size_bytes]).to.deep.equal(['active', null]);
    expect((await access(platform, buyer, id)).status).to.equal(403);
    await buy(platform, buyer, { id: product_id });
    const opened = await access(platform, buyer, id);
    expect(opened.headers.get('cache-control')).to.equal('no-store');
    const about = { dataset_id: id, version: 1, type: 'ftp', status: 'active', untrusted: true };
    expect(opened.body).to.deep.equal({ ...about, ...ftp, protocol: 'ftp' });

    const client = new Client();
    await client.access({ host: ftp.host, port: ftp.port, user: ftp.username, ...opened.body });
    const found = await client.list(opened.body.path);
    expect(found.map(({ name, size }) => [name, size])).to.deep.equal([['norway.csv', CSV.length]]);
    client.close();

    const [{ openings, events, is_sealed }] = await platform.query(
      `select (select count(*)::int from opening
                where object_kind = 'dataset' and object_id = $1) as openings,
              (select count(*)::int from event
                where type = 'dataset.accessed' and object_id = $1) as events,
              not exists (select from dataset_part
                where dataset_id = $1 and position($2::bytea in content) > 0) as is_sealed`,
      [id, Buffer.from(ftp.password)],
    );
    expect([openings, events, is_sealed]).to.deep.equal([1, 2, true]);
  });

  it('with TLS are checked by TLS, on both connections', async () => {
    const path = join(servers.tls.files, 'cities/norway.csv');
    const ftp = serverOf(servers.tls, { protocol: 'ftps', path });
    const { dataset_id: id, newest, size_bytes } = await offerFiles(ftp, { price: 0 });
    expect([newest.fault, size_bytes]).to.deep.equal([null, CSV.length]);
    const { body } = await access(platform, buyer, id);
    expect(body).to.include(ftp);

    const client = new Client();
    const { host, port, username: user, password } = body;
    const secureOptions = { ca: authority.cert };
    await client.access({ host, port, user, password, secure: true, secureOptions });
    const through = new PassThrough();
    const [copy] = await Promise.all([text(through), client.downloadTo(through, body.path)]);
    expect(copy).to.equal(CSV);
    client.close();
  });

  it('are reached at the address that was checked, whatever address their server names', async () => {
    const { newest } = await offerFiles(serverOf(servers.masked));
    expect(newest).to.include({ status: 'active', fault: null });
  });

  for (const [what, at, fields, fault] of [
    ['a wrong password', 'plain', { password: 'wrong' }, 'The server refused: 530'],
    ['a path to nothing', 'plain', { path: '/nowhere' }, 'The server refused: 550'],
    ['a private address', 'plain', { host: '10.0.0.1' }, '10.0.0.1 does not lead to a public'],
    ['a port of none', 'plain', { port: 1 }, 'ECONNREFUSED'],
    ['TLS where there is none', 'plain', { protocol: 'ftps' }, 'The server refused: 500'],
    ['no TLS where it is wanted', 'tls', {}, 'The server refused: 550'],
    ['an own certificate', 'strange', { protocol: 'ftps' }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ] as const) {
    it(`with ${what} fail their check, and say why`, async () => {
      const { status, newest } = await offerFiles(serverOf(servers[at], fields));
      expect(status).to.equal('failed');
      expect(newest.fault).to.include(fault);
    });
  }
});
