import type { Socket } from 'node:net';

/** A reply: its last code, and all its lines. */
export interface SmtpReply {
  readonly code: number;
  readonly text: string;
}

/** Our side of an SMTP session (RFC 5321 §4.2). Rejects when the other side does not keep to it. */
export interface SmtpSession {
  /** The next reply. */
  read(): Promise<SmtpReply>;
  /** Sends a command and reads its reply. */
  send(command: string): Promise<SmtpReply>;
  /** Sends QUIT and does not wait for its reply. */
  quit(): Promise<void>;
}

const REPLY_CHARS_MAX = 4_096;
const REPLY = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?:[ \r][^\n]*)?\n/;

export function openSmtpSession(socket: Socket): SmtpSession {
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let received = '';

  async function read(): Promise<SmtpReply> {
    for (;;) {
      const [text, code] = REPLY.exec(received) ?? [];
      if (text !== undefined) {
        received = received.slice(text.length);
        return { code: Number(code), text };
      }
      if (received.length > REPLY_CHARS_MAX) throw new Error('a reply without an end');
      const { value, done } = await chunks.next();
      if (done) throw new Error('the mail server disconnected');
      received += value.toString('latin1');
    }
  }

  return {
    read,
    send: (command) => {
      socket.write(`${command}\r\n`);
      return read();
    },
    quit: () => new Promise((resolve) => socket.end('QUIT\r\n', () => resolve())),
  };
}
