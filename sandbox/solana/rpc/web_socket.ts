import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The server's end of a WebSocket, for text messages: RFC 6455 without extensions. */
export interface WebSocketEnd {
  send(text: string): void;
  close(): void;
}

const SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const FRAME_BYTES_MAX = 1_000_000;
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** Accepts the upgrade of a request. `onText` gets each message, `onClose` is called once. */
export function acceptWebSocket(
  { headers }: IncomingMessage,
  socket: Duplex,
  on: { readonly text: (text: string) => void; readonly close: () => void },
): WebSocketEnd {
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${SUFFIX}`);
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
  );
  let received = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.once('close', on.close);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (let frame = firstFrame(received); frame; frame = firstFrame(received)) {
      received = received.subarray(frame.bytes);
      if (frame.opcode === TEXT) on.text(frame.content.toString('utf8'));
      if (frame.opcode === PING) socket.write(frameOf(PONG, frame.content));
      if (frame.opcode === CLOSE) socket.end(frameOf(CLOSE, frame.content));
    }
    if (received.length > FRAME_BYTES_MAX) socket.destroy();
  });
  return {
    send(text) {
      if (socket.writable) socket.write(frameOf(TEXT, Buffer.from(text)));
    },
    close: () => socket.destroy(),
  };
}

/** Clients of a node send each message in one frame. Undefined: it is incomplete. */
function firstFrame(received: Buffer) {
  if (received.length < 2) return undefined;
  const opcode = received[0]! & 0x0f;
  const short = received[1]! & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + lengthBytes + 4;
  if (received.length < start) return undefined;
  const length =
    lengthBytes === 0
      ? short
      : lengthBytes === 2
        ? received.readUInt16BE(2)
        : Number(received.readBigUInt64BE(2));
  if (received.length < start + length) return undefined;
  const mask = received.subarray(start - 4, start);
  const content = Buffer.from(received.subarray(start, start + length));
  for (const [i, byte] of content.entries()) content[i] = byte ^ mask[i % 4]!;
  return { opcode, content, bytes: start + length };
}

function frameOf(opcode: number, content: Buffer): Buffer {
  const isShort = content.length < 126;
  const head = Buffer.alloc(isShort ? 2 : 10);
  head[0] = 0x80 | opcode;
  head[1] = isShort ? content.length : 127;
  if (!isShort) head.writeBigUInt64BE(BigInt(content.length), 2);
  return Buffer.concat([head, content]);
}
