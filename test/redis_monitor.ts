import { once } from 'node:events';
import { connect } from 'node:net';

import { eventually } from './harness.ts';

/**
 * Hears every command that a Redis is given from now on, from whomever, as MONITOR tells it. On a
 * socket of its own: ioredis takes what comes in one packet with MONITOR's OK for a fault.
 */
export async function monitorRedis(url: string) {
  const { hostname, port, password } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let heard = '';
  socket.on('data', (text: string) => (heard += text));
  await once(socket, 'connect');
  socket.write(`AUTH ${password}\r\nMONITOR\r\n`);
  const until = (text: string) =>
    eventually(
      async () => heard,
      (all) => all.includes(text),
    );
  await until('+OK\r\n+OK\r\n');
  return {
    /** What was heard until `text` was. */
    until,
    stop: () => void socket.destroy(),
  };
}
