import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

import { answerRequest, greetClient, readRequest, REPLY } from '../../api/socks/messages.ts';
import { relay } from '../../api/socks/relay.ts';
import { BlockedTarget, type Egress } from '../../shared/platform/egress/egress.ts';

const CONNECT_MS = 10_000;

/** Opens a SOCKS5 proxy on loopback that needs no login and connects to what `egress` allows. */
export async function openDemoProxy(port: number, egress: Egress): Promise<Server> {
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    client.on('error', () => undefined); // It closes anyway.
    // Further bytes of the client are dropped, or a reset could overtake the last answer.
    void serve(client, egress).catch(() => client.resume().end());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function serve(client: Socket, egress: Egress): Promise<void> {
  await greetClient(client);
  const target = await readRequest(client);
  if (typeof target === 'number') {
    answerRequest(client, target);
    throw new Error('the request is not supported');
  }
  const upstream = await egress.connect(target, { timeoutMs: CONNECT_MS }).catch((cause: Error) => {
    answerRequest(
      client,
      cause instanceof BlockedTarget ? REPLY.notAllowed : REPLY.hostUnreachable,
    );
    throw cause;
  });
  upstream.allowHalfOpen = true; // A target that has ended its half may still receive.
  answerRequest(client, REPLY.succeeded);
  await relay({ client, upstream }, new AbortController().signal);
}
