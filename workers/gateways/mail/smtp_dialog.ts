import type { Socket } from 'node:net';

/** A reply: its last code, and all its lines. */
export interface Said {
  readonly code: number;
  readonly text: string;
}

/** Our side of a talk in SMTP (RFC 5321 §4.2). Rejects when the other side does not keep to it. */
export interface Dialog {
  hear(): Promise<Said>;
  say(line: string): Promise<Said>;
  /** Says QUIT and does not wait for what comes of it. */
  leave(): Promise<void>;
}

const REPLY_CHARS_MAX = 4_096;
const REPLY = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?:[ \r][^\n]*)?\n/;

export function openDialog(socket: Socket): Dialog {
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let heard = '';

  async function hear(): Promise<Said> {
    for (;;) {
      const [text, code] = REPLY.exec(heard) ?? [];
      if (text !== undefined) {
        heard = heard.slice(text.length);
        return { code: Number(code), text };
      }
      if (heard.length > REPLY_CHARS_MAX) throw new Error('a reply without an end');
      const { value, done } = await chunks.next();
      if (done) throw new Error('the mail server hung up');
      heard += value.toString('latin1');
    }
  }

  return {
    hear,
    say: (line) => {
      socket.write(`${line}\r\n`);
      return hear();
    },
    leave: () => new Promise((left) => socket.end('QUIT\r\n', () => left())),
  };
}
