import type { Socket } from 'node:net';

import { expect } from 'chai';

import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../../shared/platform/egress/egress.ts';
import { checkMailbox } from '../../../workers/gateways/mail/smtp/mailbox_check.ts';
import { patience } from '../../platform/pace.ts';
import { startMailServer, startOddServer, type RecipientPolicy } from './mail_server.ts';

const egress = openEgress({ egressAllow: [exceptionOf('127.0.0.0/8')], dnsServers: [] });

async function check(port: number, local = 'ada', replyMs = patience(20_000)) {
  const socket = await egress.connect({ host: '127.0.0.1', port }, { timeoutMs: patience(20_000) });
  try {
    return await checkMailbox(socket, {
      from: 'checker@us.example',
      address: { local, domain: 'ada.example' },
      host: 'mx.ada.example',
      times: { greetingMs: replyMs, replyMs },
      onGreeting: () => undefined,
    });
  } finally {
    socket.destroy();
  }
}

/** A server that says these lines before TLS, and after STARTTLS what `then` does. */
const serveUntilTls = (then: (socket: Socket) => void) =>
  startOddServer((socket) => {
    socket.write('220 hello\r\n');
    socket.on('data', (data) => {
      const line = data.toString('latin1');
      if (line.startsWith('EHLO')) socket.write('250-hi\r\n250 STARTTLS\r\n');
      else if (line.startsWith('MAIL')) socket.write('530 5.7.0 Must issue STARTTLS first\r\n');
      else if (line.startsWith('STARTTLS')) then(socket);
    });
  });

describe('a mail server that takes commands over TLS only', () => {
  const only: RecipientPolicy = (recipient) =>
    recipient === 'ada@ada.example' ? undefined : { code: 550, text: '5.1.1 No such user' };

  it('is asked over TLS, whoever signed its certificate', async () => {
    const server = await startMailServer(only, { onlyTls: true });
    expect(await check(server.port)).to.equal('mailbox_accepted');
    expect(await check(server.port, 'bob')).to.equal('mailbox_refused');
    expect(server.recipients).to.have.length(3);
    await server.close();
  });

  it('is not believed what was sent before the handshake', async () => {
    const server = await serveUntilTls((socket) => socket.write('220 go\r\n250 ok\r\n250 ok\r\n'));
    expect(await faultOf(check(server.port))).to.include('after the reply to STARTTLS');
    await server.close();
  });

  for (const [what, then, fault] of [
    ['never ends the handshake', (socket) => socket.write('220 go\r\n'), 'in time'],
    [
      'disconnects instead',
      (socket) => socket.write('220 go\r\n', () => socket.destroy()),
      'disconnected',
    ],
    ['resets instead', (socket) => socket.write('220 go\r\n', () => socket.resetAndDestroy()), ''],
    [
      'speaks no TLS',
      (socket) => {
        socket.write('220 go\r\n');
        socket.removeAllListeners('data').on('data', () => socket.write('250 ok\r\n'));
      },
      '',
    ],
  ] as [string, (socket: Socket) => void, string][]) {
    it(`decides nothing where it ${what}`, async () => {
      const server = await serveUntilTls(then);
      const asked = check(server.port, 'ada', what.startsWith('never') ? 300 : 20_000);
      expect(await faultOf(asked)).to.include(fault);
      await server.close();
    });
  }

  it('turns us away where it refuses STARTTLS too', async () => {
    const server = await serveUntilTls((socket) => socket.write('454 4.7.0 Not now\r\n'));
    expect(await check(server.port)).to.equal('turned_away');
    await server.close();
  });
});

async function faultOf(asked: Promise<unknown>): Promise<string> {
  try {
    return `no fault: ${String(await asked)}`;
  } catch (error) {
    return (error as Error).message || 'a fault';
  }
}
