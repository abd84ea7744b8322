import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { expect } from 'chai';

import { startNameServer } from '../../name_server.ts';
import { makeCertificate, makeIssuer } from './certificates.ts';

/** All names lead to one server, which shows each its own certificate. */
describe('egress by TLS', function () {
  this.timeout(30_000);

  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const outcomes: Record<string, string> = {};
  const plainRequests: string[] = [];
  let port: number;
  let plainPort: number;

  before(async () => {
    const authority = makeIssuer('An authority');
    const certificates = {
      'good.example': makeCertificate({ host: 'good.example' }, authority),
      'other.example': makeCertificate({ host: 'good.example' }, authority),
      'old.example': makeCertificate({ host: 'old.example', days: -1 }, authority),
      'own.example': makeCertificate({ host: 'own.example' }),
      'strange.example': makeCertificate({ host: 'strange.example' }, makeIssuer('Nobody')),
    };
    const server = createServer(
      {
        ...makeCertificate({ host: '127.0.0.1' }, authority),
        SNICallback: (name, choose) =>
          choose(null, createSecureContext(certificates[name as keyof typeof certificates])),
      },
      (req, res) => {
        const to = new URL(req.url!, 'https://any').searchParams.get('to');
        if (to) return res.writeHead(302, { location: to }).end();
        const { servername } = req.socket as TLSSocket;
        return res.end(`${servername || 'no name'}, ${req.headers.host}`);
      },
    );
    const plain = createHttpServer((req, res) => {
      plainRequests.push(req.url!);
      res.writeHead(302, { location: `https://good.example:${port}/end` }).end();
    });
    const names = await startNameServer((type, name) =>
      type === 'A' ? [{ type, name, data: '127.0.0.1', ttl: 0 }] : [],
    );
    try {
      [port, plainPort] = [await listen(server), await listen(plain)];
      const trusted = join(folder, 'authority.pem');
      writeFileSync(trusted, authority.cert);
      const urls = {
        ...Object.fromEntries(
          Object.keys(certificates).map((name) => [name, `https://${name}:${port}/`]),
        ),
        address: `https://127.0.0.1:${port}/`,
        'another address': `https://127.0.0.2:${port}/`,
        down: `https://good.example:${port}/?to=http://good.example:${plainPort}/down`,
        up: `http://good.example:${plainPort}/`,
      };
      const child = promisify(execFile)(
        process.execPath,
        [
          '--import',
          'tsx',
          'test/platform/egress/request_all.ts',
          names.address,
          ...Object.values(urls),
        ],
        { env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted } },
      );
      const found = JSON.parse((await child).stdout) as string[];
      Object.keys(urls).forEach((name, n) => (outcomes[name] = found[n]!));
    } finally {
      server.close();
      plain.close();
      await names.close();
    }
  });
  after(() => rm(folder, { recursive: true }));

  async function listen(server: Server): Promise<number> {
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  it('reaches a host whose certificate is for its name, or for its address', () => {
    expect(outcomes).to.include({
      'good.example': `200 good.example, good.example:${port} https://good.example:${port}/`,
      address: `200 no name, 127.0.0.1:${port} https://127.0.0.1:${port}/`,
    });
  });

  it('refuses a certificate of another host, one that has ended, and one that nobody vouches for', () => {
    expect(outcomes).to.include({
      'other.example': 'ERR_TLS_CERT_ALTNAME_INVALID',
      'another address': 'ERR_TLS_CERT_ALTNAME_INVALID',
      'old.example': 'CERT_HAS_EXPIRED',
      'own.example': 'DEPTH_ZERO_SELF_SIGNED_CERT',
      'strange.example': 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
  });

  it('follows redirects from http to https, and none back', () => {
    expect(outcomes.down).to.equal(`good.example:${port} redirects to an address without TLS`);
    expect(outcomes.up).to.match(/^200 .*\/end$/);
    expect(plainRequests).to.deep.equal(['/']);
  });
});
