import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A relay in front of a server, whose host can vanish. */
export interface VanishingRelay {
  readonly port: number;
  /**
   * From now on nothing goes through the connections that are open: no byte, no end, no reset, as
   * when a host loses its power. New connections reach the server, as a name that leads to another
   * host by now.
   */
  vanish(): void;
  /** Connections that swallow what they are sent and were not closed by their client. */
  swallowing(): number;
  close(): Promise<void>;
}

export async function openVanishingRelay(to: {
  host: string;
  port: number;
}): Promise<VanishingRelay> {
  const open = new Set<{ client: Socket; upstream: Socket; swallows: boolean }>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ ...to, noDelay: true });
    const pair = { client, upstream, swallows: false };
    open.add(pair);
    client.on('data', (data) => void (pair.swallows || upstream.write(data)));
    upstream.on('data', (data) => void (pair.swallows || client.write(data)));
    for (const [side, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      side.on('error', () => undefined);
      side.on('close', () => {
        if (side === client) open.delete(pair);
        if (side === client || !pair.swallows) other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    vanish() {
      for (const pair of open) pair.swallows = true;
    },
    swallowing: () => [...open].filter(({ swallows }) => swallows).length,
    async close() {
      for (const { client, upstream } of open) {
        client.destroy();
        upstream.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
