import type { Socket } from 'node:net';

/** The same piece for as long as the other side takes any. */
export function sendWithoutEnd(socket: Socket, piece: string | Buffer): void {
  const more = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

const HEAD = 'HTTP/1.1 200 OK\r\n';
const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';
const LENGTH = `${HEAD}content-length: 9\r\n\r\n{`;

/** Answers of a peer that are no answer to a request. */
export const HOSTILE_ANSWERS: Readonly<Record<string, (socket: Socket) => void>> = {
  resets: (socket) => void socket.resetAndDestroy(),
  'says nothing': () => undefined,
  'upgrades to another protocol': (socket) => void socket.end(UPGRADE),
  'upgrades, and stays': (socket) => void socket.write(UPGRADE),
  'says 100 without end': (socket) =>
    sendWithoutEnd(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000)),
  'says 103 without end': (socket) =>
    sendWithoutEnd(socket, 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(1_000)),
  'sends headers without end': (socket) => {
    socket.write(HEAD);
    sendWithoutEnd(socket, 'x-more: and more\r\n'.repeat(3_000));
  },
  'sends a body without end': (socket) => {
    socket.write(`${HEAD}\r\n`);
    sendWithoutEnd(socket, 'x'.repeat(65_536));
  },
  'sends chunks without end': (socket) => {
    socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
    sendWithoutEnd(socket, '1\r\nx\r\n'.repeat(9_000));
  },
  'ends in the middle of a body': (socket) => void socket.end(LENGTH),
  'stops in the middle of a body': (socket) => void socket.write(LENGTH),
  'ends in the middle of a head': (socket) => void socket.end('HTTP/1.1 200'),
  'sends no HTTP': (socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
  'sends a byte now and then': (socket) => {
    const drips = setInterval(() => socket.write('x'), 100);
    socket.write(`${HEAD}\r\n`);
    socket.on('close', () => clearInterval(drips));
  },
};
