import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { CHARACTERS, play } from './characters.ts';

// Mail servers at all addresses of loopback, in a process of their own: at 127.2.<n>.x the
// character of this number, at all others an honest one, which knows ada.

const characters = Object.values(CHARACTERS);
const honest = play({
  recipient: (name) => (name.startsWith('ada@') ? '250 ok' : '550 5.1.1 No such user'),
});

const server = createServer((socket) => {
  socket.on('error', () => undefined);
  const [, network, number] = socket.localAddress!.split('.').map(Number);
  const answer = network === 2 ? characters[number!]! : honest;
  answer(socket);
});
server.listen(0, '0.0.0.0');
await once(server, 'listening');
process.send?.({ port: (server.address() as AddressInfo).port });
