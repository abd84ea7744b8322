import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';

import { expect } from 'chai';

import { listen } from '../../api/listen.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

describe('listening', () => {
  const open = () => createHttpServer((req, res) => res.end(req.socket.localAddress));
  const ask = (host: string, port: number) =>
    fetch(`http://${host}:${port}`, { headers: { connection: 'close' } }).then(
      (answer) => answer.text(),
      () => 'refused',
    );

  it('is at both addresses of localhost, and ends at both', async () => {
    const server = open();
    const listening = await listen(server, { host: 'localhost', port: 0 });
    const { port } = server.address() as AddressInfo;
    const asked = () => Promise.all(['127.0.0.1', '[::1]', 'localhost'].map((at) => ask(at, port)));
    expect(await asked()).to.include.members(['127.0.0.1', ...(hasIpv6 ? ['::1'] : [])]);
    expect(await asked())
      .to.have.lengthOf(3)
      .and.not.include('refused');
    await Promise.all(listening.map((one) => new Promise((resolve) => one.close(resolve))));
    expect(await asked()).to.deep.equal(['refused', 'refused', 'refused']);
  });

  it('is at 127.0.0.1 alone where another program has ::1', async () => {
    const other = createServer().listen(0, hasIpv6 ? '::1' : '127.0.0.2');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const listening = await listen(open(), { host: 'localhost', port });
    expect(listening).to.have.lengthOf(1);
    expect(await ask('127.0.0.1', port)).to.equal('127.0.0.1');
    for (const one of [other, ...listening]) one.close();
  });
});
