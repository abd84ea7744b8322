import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Maximum connections that wait to be accepted. */
  readonly backlog?: number;
}

/**
 * Makes a server listen. `localhost` is both 127.0.0.1 and ::1, because some clients try only one
 * of them. Returns the servers to close: this one, and the one that hands it the connections to
 * ::1. There is no second one on a machine without IPv6, or if another program listens there.
 */
export async function listen(server: Server, options: ListenOptions): Promise<Server[]> {
  const { host } = options;
  server.listen({ ...options, host: host === LOCALHOST ? '127.0.0.1' : host });
  await once(server, 'listening');
  if (host !== LOCALHOST) return [server];

  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  );
  second.maxConnections = server.maxConnections;
  const { port } = server.address() as AddressInfo;
  const isListening = await new Promise<boolean>((resolve) => {
    second.once('listening', () => resolve(true));
    second.once('error', () => resolve(false));
    second.listen({ ...options, port, host: '::1' });
  });
  return isListening ? [server, second] : [server];
}

const LOCALHOST = 'localhost';
