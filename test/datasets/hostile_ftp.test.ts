import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { expect } from 'chai';

import { exceptionOf } from '../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../shared/platform/egress/egress.ts';
import { openFtp } from '../../workers/gateways/datasets/ftp.ts';
import { patience } from '../platform/pace.ts';

/** Time limit for a server that does not answer. */
const SHORT_MS = 400;

describe('an FTP server that means harm', () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.splice(0).map((one) => new Promise((done) => one.close(done))));
  });

  async function listen(on: (socket: Socket) => void, host = '127.0.0.1'): Promise<number> {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      on(socket);
    });
    servers.push(server);
    server.listen(0, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  type Answers = Readonly<Record<string, string>>;
  const GOOD: Answers = {
    USER: '331 Password',
    PASS: '230 In',
    TYPE: '200 Binary',
    CWD: '250 There',
    LIST: '150 Here it comes',
  };
  /** Answers each command as is written here, or else that it does not know it. */
  const speak = (answers: Answers) =>
    listen((socket) => {
      socket.write('220 Welcome\r\n');
      socket.on('data', (bytes) => {
        const command = bytes.toString().split(/[ \r]/)[0]!;
        socket.write(`${answers[command] ?? '500 What?'}\r\n`);
      });
    });

  const check = async (port: number, sessionMsMax = patience(20_000)) => {
    const egress = openEgress({ egressAllow: [exceptionOf('127.0.0.0/8')], dnsServers: [] });
    const server = { host: '127.0.0.1', username: 'u', password: 'p', path: '/data' };
    const found = await openFtp(egress, sessionMsMax).checkFtp({
      ...server,
      port,
      protocol: 'ftp',
    });
    return 'fault' in found ? found.fault : found;
  };
  /** Port of a data connection: the second half of an answer to PASV. */
  const portOf = (port: number) => `${port >> 8},${port & 255}`;

  it('that says nothing is waited for no longer than a session may take', async () => {
    expect(await check(await listen(() => undefined), SHORT_MS)).to.equal(
      'It did not answer in time.',
    );
  });

  it('that opens a data connection and sends nothing is waited for no longer either', async () => {
    const data = await listen(() => undefined);
    const port = await speak({ ...GOOD, EPSV: `229 Extended (|||${data}|)` });
    expect(await check(port, SHORT_MS)).to.equal('It did not answer in time.');
  });

  it('that sends without end is left', async () => {
    const flood = Buffer.from(`100 ${'x'.repeat(1_000)}\r\n`.repeat(100));
    const port = await listen((socket) => {
      const send = () => {
        while (socket.write(flood));
      };
      socket.on('drain', send);
      send();
    });
    expect(await check(port)).to.equal('It cannot be reached: it sends too much.');
  });

  it('that asks for the password again and again is left', async () => {
    expect(await check(await speak({ ...GOOD, PASS: GOOD.USER! }))).to.be.oneOf([
      'It cannot be reached: it sends too much.',
      'It did not answer in time.',
    ]);
  });

  it('that names another address for the data connection has none there', async () => {
    let elsewhere = 0;
    const other = await listen(() => (elsewhere += 1), '127.0.0.2');
    const port = await speak({ ...GOOD, PASV: `227 Passive (127,0,0,2,${portOf(other)})` });
    expect(await check(port)).to.equal('It cannot be reached: ECONNREFUSED.');
    expect(elsewhere).to.equal(0);
  });

  it('that names a port or a size that cannot be fails its check', async () => {
    for (const [answers, fault] of [
      [{ EPSV: '229 Extended (|||99999|)' }, 'it names no port'],
      [{ PASV: '227 Passive' }, 'it names no port'],
      [{ CWD: '550 No', SIZE: '213 99999999999999999999' }, 'it names no size'],
      [{ CWD: '550 No', SIZE: '213 -1' }, 'it names no size'],
    ] as const) {
      expect(await check(await speak({ ...GOOD, ...answers }))).to.include(fault);
    }
  });

  it('that closes the connection at any command fails its check', async () => {
    for (const command of Object.keys(GOOD)) {
      const port = await listen((socket) => {
        socket.write('220 Welcome\r\n');
        socket.on('data', (bytes) => {
          const said = bytes.toString().split(/[ \r]/)[0]!;
          if (said === command) socket.destroy();
          else socket.write(`${GOOD[said] ?? '500 What?'}\r\n`);
        });
      });
      expect(await check(port), command).to.be.a('string');
    }
  });
});
