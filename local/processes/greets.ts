import { connect } from 'node:net';

/** Whether a local server greets clients, like those of MySQL and FTP. */
export function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(1_000, () => answer(false));
    socket.on('error', () => answer(false));
    socket.on('close', () => answer(false));
    socket.on('data', () => answer(true));
  });
}
