import { createServer, type AddressInfo, type Socket } from 'node:net';

import { readConfig } from '../../shared/composition/config.ts';
import { judge } from '../../shared/domains/proxies/checks/judge.ts';
import { openSecrets } from '../../shared/platform/secrets.ts';

// A SOCKS5 proxy at every loopback address, which connects everything to the judge inside it, and
// the same judge without a proxy. It does as little work as possible, because it is not measured.

const secrets = openSecrets(readConfig().masterKeys);
const GRANTED = Buffer.from('05000001000000000000', 'hex');

function serve(socket: Socket): void {
  let steps = 0;
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    if (data[0] !== 5) return answer(socket, data.toString('latin1'));
    socket.write((steps += 1) === 1 ? '\x05\x00' : GRANTED);
  });
}

function answer(socket: Socket, request: string): void {
  const [, nonce = ''] = /nonce=([\w-]+)/.exec(request) ?? [];
  const body = JSON.stringify(judge(secrets, { address: '127.0.0.1', nonce, seen: '' }));
  socket.end(
    `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const server = createServer({ noDelay: true }, (socket) => {
  if (socket.remoteAddress?.startsWith('127.')) serve(socket);
  else socket.destroy();
});
server.listen(0, '0.0.0.0', 4_096, () => {
  process.send!({ port: (server.address() as AddressInfo).port });
});
