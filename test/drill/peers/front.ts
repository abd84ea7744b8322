import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The front of the APIs: one address, and behind it those that accept connections. */
interface Front {
  readonly url: string;
  close(): Promise<void>;
}

/** A connection goes to one API after the other, until one takes it. */
export async function openFront(apis: readonly string[]): Promise<Front> {
  const sockets = new Set<Socket>();
  let passed = 0;
  const server = createServer((client) => {
    keep(client);
    passed += 1;
    pass(client, passed, apis.length);
  });

  function keep(socket: Socket): void {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  }

  function pass(client: Socket, turn: number, left: number): void {
    const { hostname, port } = new URL(apis[turn % apis.length]!);
    const api = connect(Number(port), hostname);
    keep(api);
    let isOpen = false;
    api.on('connect', () => {
      isOpen = true;
      client.pipe(api).pipe(client);
      client.on('close', () => api.destroy());
    });
    api.on('close', () => {
      if (isOpen || left <= 1 || client.destroyed) client.destroy();
      else pass(client, turn + 1, left - 1);
    });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
