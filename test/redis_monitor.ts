import { once } from 'node:events';
import { connect } from 'node:net';

import { eventually } from './harness.ts';

/**
 * Records every command that a Redis executes from now on, of all clients, as MONITOR shows it. It
 * has a socket of its own: ioredis reports an error if data follow MONITOR's OK in one packet.
 */
export async function monitorRedis(url: string) {
  const { hostname, port, password } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let output = '';
  socket.on('data', (text: string) => (output += text));
  await once(socket, 'connect');
  socket.write(`AUTH ${password}\r\nMONITOR\r\n`);
  const until = (text: string) =>
    eventually(
      async () => output,
      (all) => all.includes(text),
    );
  await until('+OK\r\n+OK\r\n');
  return {
    /** The output so far, once it contains `text`. */
    until,
    stop: () => void socket.destroy(),
  };
}
