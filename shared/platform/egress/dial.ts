import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { SocksClient } from 'socks';

import type { EgressProxy } from '../config/egress_proxy.ts';
import type { HostPort } from './addresses.ts';

/** Opens a TCP connection to a checked address; the signal ends the attempt. */
type Dial = (target: HostPort, signal: AbortSignal) => Promise<Socket>;

/** Dials through the operator's proxy if there is one. */
export const dialOf = (proxy: EgressProxy | undefined): Dial =>
  proxy ? (target, signal) => dialThrough(proxy, target, signal) : dial;

async function dial({ host, port }: HostPort, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host, port, noDelay: true });
  socket.on('error', () => undefined); // Without a listener an error would end the process.
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** The proxy is given the address that was checked, never a name that it would look up again. */
async function dialThrough(
  { user, password, ...proxy }: EgressProxy,
  destination: HostPort,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await dial(proxy, signal);
  const end = () => void socket.destroy();
  signal.addEventListener('abort', end);
  try {
    await SocksClient.createConnection({
      proxy: { ...proxy, type: 5, ...(user && { userId: user, password: password ?? '' }) },
      existing_socket: socket,
      command: 'connect',
      destination,
    });
    return socket;
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    // The error of the package holds its options, and so the password.
    throw new Error(`by the egress proxy: ${(error as Error).message}`);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
