import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

export interface ListenOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** How many connections may wait at once to be accepted. */
  readonly backlog?: number;
}

/**
 * Has a server listen. `localhost` is 127.0.0.1 and ::1, because that name stands for either of
 * them, and some clients try only one. Returns whatever has to be closed: the server, and the one
 * that hands it the connections to ::1. There is none on a machine without IPv6, or if another
 * program listens there.
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
