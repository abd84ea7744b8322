import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { BlockedTarget, openEgress } from '../../../shared/platform/egress/egress.ts';
import { eventually } from '../../harness.ts';
import { startNameServer, type NameServer } from '../../name_server.ts';
import { FORBIDDEN } from './forbidden.ts';
import { patience } from '../pace.ts';

const LIMITS = { timeoutMs: patience(15_000), bytesMax: 1_000 };

describe('egress', () => {
  const servers: Server[] = [];
  let canary: number;
  let reached = 0;
  let names: NameServer;
  /** The answers of the name server for a name: the first, the second … */
  const records: Record<string, string[][]> = {};

  before(async () => {
    const server = createServer((_req, res) => res.end('canary')).on('connection', () => {
      reached += 1;
    });
    canary = await listen(server, '::'); // IPv4 too, and every address of this machine
    names = await startNameServer((type, name) => {
      if (name === 'silent.example') return 'no answer';
      const answers = records[name] ?? [];
      const found = (answers.length > 1 && type === 'A' ? answers.shift() : answers[0]) ?? [];
      const family = type === 'A' ? /\./ : /^[^.]*$/;
      return found
        .filter((data) => family.test(data) && ['A', 'AAAA'].includes(type))
        .map((data) => ({ type: type as 'A', name, data, ttl: 0 }));
    });
  });
  beforeEach(() => (reached = 0));
  after(async () => {
    for (const server of servers) server.close();
    await names.close();
  });

  async function listen(server: Server, host: string): Promise<number> {
    server.listen(0, host);
    await once(server, 'listening');
    servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  const serve = (listener: RequestListener) => listen(createServer(listener), '127.0.0.1');
  const egress = (...allow: string[]) =>
    openEgress({ egressAllow: allow.map(exceptionOf), dnsServers: [names.address] });
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: Error) => error,
    );

  it('reaches public and allowed targets, by address and by name', async () => {
    records['good.example'] = [['127.0.0.1']];
    const out = egress('127.0.0.0/8');
    for (const host of ['127.0.0.1', 'good.example', 'GOOD.example']) {
      const { status, body } = await out.request(`http://${host}:${canary}/`, LIMITS);
      expect([status, body.toString()]).to.deep.equal([200, 'canary']);
    }
    const socket = await out.connect({ host: 'good.example', port: canary }, LIMITS);
    await eventually(
      async () => reached,
      (connections) => connections === 4,
    );
    socket.destroy();
  });

  it(`reaches nothing by ${FORBIDDEN.length} spellings, as a URL or as a plain connection`, async () => {
    expect(FORBIDDEN.length).to.be.greaterThan(40);
    const out = egress();
    for (const host of FORBIDDEN) {
      const url = await failure(out.request(`http://${host}:${canary}/`, LIMITS));
      expect(url, host).to.be.instanceOf(Error);
      const bare = host.replace(/^\[(.*)\]$/, '$1');
      const raw = await failure(out.connect({ host: bare, port: canary }, LIMITS));
      expect(raw, host).to.be.instanceOf(Error);
    }
    expect(reached).to.equal(0);
  });

  it('speaks plain HTTP and HTTPS only, and carries no credentials in a URL', async () => {
    const out = egress('127.0.0.0/8');
    const at = `127.0.0.1:${canary}/`;
    for (const url of [
      `file:///etc/passwd`,
      `ftp://${at}`,
      `gopher://${at}`,
      `data:text/plain,x`,
      `http://user@${at}`,
      `http://user:pass@${at}`,
      `//${at}`,
      'not a URL',
      '',
    ]) {
      expect(await failure(out.request(url, LIMITS)), url).to.be.instanceOf(BlockedTarget);
    }
    expect(reached).to.equal(0);
  });

  it('leaves out the addresses of a name that are not public', async () => {
    for (const [host, answer, open] of [
      ['mixed.example', ['127.0.0.1', '93.184.216.34'], ['93.184.216.34']],
      ['local.example', ['93.184.216.34', 'fd00::1', '::1'], ['93.184.216.34']],
      ['mapped.example', ['93.184.216.34', '::ffff:7f00:1'], ['93.184.216.34']],
      ['_dc-mx.my_app.example', ['10.0.0.1', '2606:4700::1'], ['2606:4700::1']],
      ['dns64.example', ['64:ff9b::7f00:1', '64:ff9b::808:808'], ['64:ff9b::808:808']],
    ] as const) {
      records[host] = [[...answer]];
      expect(await egress().addressesOf({ host, port: 80 }), host).to.deep.equal(open);
    }
  });

  it('reaches nothing when no address of a name is public', async () => {
    records['mixed.example'] = [['127.0.0.1', '10.0.0.1', '::1', 'fd00::1', '::ffff:7f00:1']];
    records['dns64.example'] = [['64:ff9b::7f00:1']];
    records['my_app.example'] = [['127.0.0.1']];
    for (const name of ['mixed', 'dns64', 'my_app']) {
      const host = `${name}.example`;
      const error = await failure(egress().request(`http://${host}:${canary}/`, LIMITS));
      expect(error, host).to.be.instanceOf(BlockedTarget);
      // The one who gave the name learns nothing about our network from the message.
      expect(error!.message).not.to.match(/127|::/);
    }
    expect(reached).to.equal(0);
  });

  it('connects to the address that it checked, whatever the name resolves to later', async () => {
    // The first address is allowed; the second is another address of the same machine.
    records['rebind.example'] = [['127.0.0.1'], ['127.0.0.2']];
    const hosts: string[] = [];
    const port = await serve((req, res) => {
      hosts.push(`${req.socket.localAddress} ${req.headers.host}`);
      res.end();
    });
    const before = names.asked.length;
    await egress(`127.0.0.1:${port}`).request(`http://rebind.example:${port}/`, LIMITS);
    expect(hosts).to.deep.equal([`127.0.0.1 rebind.example:${port}`]);
    expect(names.asked.slice(before).toSorted()).to.deep.equal([
      'A rebind.example',
      'AAAA rebind.example',
    ]);
    const second = egress(`127.0.0.1:${port}`).request(`http://rebind.example:${port}/`, LIMITS);
    expect(await failure(second)).to.be.instanceOf(BlockedTarget);
  });

  it('checks the target of a redirect, and of the redirect after that', async () => {
    records['hop.example'] = [['127.0.0.1']];
    records['inside.example'] = [['127.0.0.3']];
    let port = 0;
    port = await serve((req, res) => {
      const to = decodeURIComponent(req.url!.slice(2));
      res.writeHead(302, { location: to }).end();
    });
    const out = egress(`127.0.0.1:${port}`);
    const via = (to: string) => `http://hop.example:${port}/?${encodeURIComponent(to)}`;
    const follow = { ...LIMITS, redirectsMax: 3 };
    for (const target of [
      `http://127.0.0.1:${canary}/`,
      `http://[::1]:${canary}/`,
      `http://2130706433:${canary}/`,
      `http://127.1:${canary}/`,
      `http://[::ffff:127.0.0.1]:${canary}/`,
      `http://inside.example:${canary}/`,
      `//127.0.0.1:${canary}/`,
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      `gopher://127.0.0.1:${port}/`,
      `http://user:password@127.0.0.1:${port}/`,
    ]) {
      expect(await failure(out.request(via(target), follow)), target).to.be.instanceOf(
        BlockedTarget,
      );
      const twice = out.request(via(via(target)), follow);
      expect(await failure(twice), target).to.be.instanceOf(BlockedTarget);
    }
    expect(reached).to.equal(0);
  });

  it('follows as many redirects as it may, and sends headers to no other host', async () => {
    const seen: unknown[] = [];
    const end = await serve((req, res) => {
      seen.push(req.headers.authorization);
      // A compressed answer would be held in memory at a size that nobody has bounded.
      res.end(req.headers['accept-encoding']);
    });
    const start = await serve((req, res) => {
      seen.push(req.headers.authorization);
      const to = req.url === '/a' ? '/b' : `http://127.0.0.1:${end}/`;
      res.writeHead(307, { location: to }).end();
    });
    const options = { ...LIMITS, headers: { authorization: 'Bearer s' } };
    const url = `http://127.0.0.1:${start}/a`;
    const out = egress('127.0.0.0/8');
    const response = await out.request(url, { ...options, redirectsMax: 2 });
    expect(response).to.include({ status: 200, url: `http://127.0.0.1:${end}/` });
    expect(response.body.toString()).to.equal('identity');
    expect(seen).to.deep.equal(['Bearer s', 'Bearer s', undefined]);
    expect(await out.request(url, { ...options, redirectsMax: 1 })).to.include({ status: 307 });
    expect(await out.request(url, options)).to.include({ status: 307 });
    const posted = { ...options, method: 'POST', body: '{}', redirectsMax: 9 } as const;
    expect(await out.request(url, posted)).to.include({ status: 307 });
  });

  it('ends an exchange that takes too long or whose body is too long, and keeps no connection', async () => {
    const open = new Set<unknown>();
    const slow = createServer((req, res) => {
      if (req.url === '/large') return res.end(Buffer.alloc(4_000_000));
      res.writeHead(200).write('x'.repeat(600));
      return req.url === '/long' ? res.end('x'.repeat(600)) : undefined;
    }).on('connection', (socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    });
    const port = await listen(slow, '127.0.0.1');
    const out = egress('127.0.0.0/8');
    const long = await failure(out.request(`http://127.0.0.1:${port}/long`, LIMITS));
    expect(long!.message).to.match(/longer than 1000 bytes/);
    const million = { ...LIMITS, bytesMax: 1_000_000 }; // No piece of it is as long.
    const large = await failure(out.request(`http://127.0.0.1:${port}/large`, million));
    expect(large!.message).to.match(/longer than 1000000 bytes/);
    const bad = { ...LIMITS, headers: { 'x-any': 'a\nb' } }; // It fails when it is connected.
    expect(await failure(out.request(`http://127.0.0.1:${port}/`, bad))).to.be.instanceOf(Error);
    const short = { ...LIMITS, timeoutMs: 50 };
    expect(await failure(out.request(`http://127.0.0.1:${port}/`, short))).to.be.instanceOf(Error);
    await eventually(
      async () => open.size,
      (connections) => connections === 0,
    );
  });

  it('ends an exchange in time whose redirects or whose name server are slow', async () => {
    const port = await serve((req, res) => {
      setTimeout(() => res.writeHead(302, { location: `${req.url}a` }).end(), patience(40));
    });
    const out = egress('127.0.0.0/8');
    const slow = { ...LIMITS, timeoutMs: patience(200), redirectsMax: 20 };
    const hops = await failure(out.request(`http://127.0.0.1:${port}/`, slow));
    expect(hops).to.include({ name: 'AbortError' });
    const silent = await failure(out.request(`http://silent.example:${port}/`, slow));
    expect(silent).to.include({ name: 'TimeoutError' });
  });
});
