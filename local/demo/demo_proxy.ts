import { createServer } from '@pondwader/socks5-server';
import { once } from 'node:events';
import { createServer as createTcp, type Server } from 'node:net';

import { hostPortOf, spelled } from '../../shared/platform/egress/addresses.ts';
import type { Egress } from '../../shared/platform/egress/egress.ts';

const CONNECT_MS = 10_000;

/** Opens a SOCKS5 proxy on loopback that needs no login and connects to what `egress` allows. */
export async function openDemoProxy(port: number, egress: Egress): Promise<Server> {
  const socks = createServer();
  socks.setConnectionHandler(({ socket, destAddress, destPort }, sendStatus) => {
    socket.on('error', () => undefined);
    const target = hostPortOf(spelled({ host: destAddress, port: destPort }));
    if (!target) return sendStatus('ADDRESS_TYPE_NOT_SUPPORTED');
    egress.connect(target, { timeoutMs: CONNECT_MS }).then(
      (out) => {
        out.on('error', () => socket.destroy());
        socket.on('close', () => out.destroy());
        sendStatus('REQUEST_GRANTED');
        socket.pipe(out).pipe(socket);
      },
      () => sendStatus('CONNECTION_NOT_ALLOWED'),
    );
  });
  // The library's own server does not report that it cannot listen.
  const server = createTcp({ noDelay: true }, (socket) => void socks._handleConnection(socket));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
