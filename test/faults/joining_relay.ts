import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

/** ReadyForQuery: PostgreSQL has opened the session. */
const READY = Buffer.from('Z\0\0\0\x05I');

/**
 * A relay to PostgreSQL. On demand it ends the session of the next connection when PostgreSQL has
 * opened it, and sends its client the last of the opening and the end in one piece, as a busy
 * process reads them. `end` ends the session of a port.
 */
export async function openJoiningRelay(
  to: { host: string; port: number },
  end: (port: number) => Promise<unknown>,
) {
  let armed = false;
  const relay = { joined: 0, joinNext: () => void (armed = true) };
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ ...to, noDelay: true });
    let held: Buffer | undefined;
    client.on('data', (data) => void upstream.write(data));
    client.on('error', () => undefined).on('close', () => upstream.destroy());
    upstream.on('data', (data) => {
      if (held) return void (held = Buffer.concat([held, data]));
      if (!armed || !data.includes(READY)) return void client.write(data);
      armed = false;
      held = data;
      void end(upstream.localPort!);
    });
    upstream.on('error', () => undefined);
    upstream.on('close', () => {
      if (held) client.write(held);
      if (held) relay.joined += 1;
      client.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(relay, { port, close: () => server.close() });
}
