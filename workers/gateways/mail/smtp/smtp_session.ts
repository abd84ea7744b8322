import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A reply: the code of all its lines, and their text. */
export interface SmtpReply {
  readonly code: number;
  readonly text: string;
}

/** Time limits for replies in ms, however they are split (RFC 5321 §4.5.3.2). */
export interface ReplyTimes {
  /** For the greeting: a busy server accepts the connection and delays it. */
  readonly greetingMs: number;
  /** For any other reply, and for a TLS handshake. */
  readonly replyMs: number;
}

/** Our side of an SMTP session (RFC 5321 §4.2). Rejects if the other side breaks the protocol. */
export interface SmtpSession {
  /** Reads the greeting. */
  greeting(): Promise<SmtpReply>;
  /** Sends a command and reads its reply. */
  send(command: string): Promise<SmtpReply>;
  /** Continues over TLS, after the reply to STARTTLS (RFC 3207). */
  secure(host: string): Promise<void>;
  /** Sends QUIT and does not wait for its reply. */
  quit(): Promise<void>;
}

/** 512 octets a line (RFC 5321 §4.5.3.1.5), and a few lines. */
const REPLY_CHARS_MAX = 4_096;
/** Maximum characters of a session: a dozen replies of that length. */
const SESSION_CHARS_MAX = 49_152;
const REPLY = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?:[ \r][^\n]*)?\n/;

export function openSmtpSession(plain: Socket, times: ReplyTimes): SmtpSession {
  let socket = plain;
  let received = '';
  let charsLeft = SESSION_CHARS_MAX;
  let fault: Error | undefined;
  /** Called at each change: more was received, or the session has failed. */
  let changed: (() => void) | undefined;

  function fail(error: Error): void {
    if (fault) return;
    fault = error;
    socket.destroy();
    plain.destroy();
    changed?.();
  }
  const onData = (chunk: Buffer): void => {
    received += chunk.toString('latin1');
    charsLeft -= chunk.length;
    if (charsLeft < 0) fail(new Error('replies without an end'));
    else if (chunk.includes(10)) changed?.();
    else if (received.length > REPLY_CHARS_MAX) fail(new Error('a line without an end'));
  };
  const onError = (error: Error): void => fail(error);
  const onClose = (): void => fail(new Error('the mail server disconnected'));
  // Data sent before the connection was closed may be a whole reply: it is read first.
  const listen = () => socket.on('data', onData).on('error', onError).on('close', onClose);
  listen();

  /** The next reply, or a fault after `ms`. */
  function read(ms: number): Promise<SmtpReply> {
    return within(ms, () => {
      const [text, code] = REPLY.exec(received) ?? [];
      if (text !== undefined) {
        received = received.slice(text.length);
        // RFC 5321 §4.2.1: each line has the same one.
        if (text.match(/^\d{3}/gm)!.some((other) => other !== code)) {
          fail(new Error('a reply of several codes'));
          return undefined;
        }
        return { code: Number(code), text };
      }
      if (received.length > REPLY_CHARS_MAX) fail(new Error('a reply without an end'));
      return undefined;
    });
  }

  /** Resolves with the result of `find`, as soon as it has one. */
  function within<T>(ms: number, find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found === undefined && !fault) return;
        changed = undefined;
        clearTimeout(timeUp);
        if (found === undefined) reject(fault!);
        else resolve(found);
      };
      const timeUp = setTimeout(() => fail(new TimeUp()), ms).unref();
      changed = look;
      look();
    });
  }

  return {
    greeting: () => read(times.greetingMs),
    send(command) {
      socket.write(`${command}\r\n`);
      return read(times.replyMs);
    },
    async secure(host) {
      // Data before the handshake does not come from the holder of the key (CVE-2011-0411).
      if (received !== '') throw new Error('more was sent after the reply to STARTTLS');
      socket.off('data', onData).off('close', onClose);
      socket.once('close', onClose);
      let isSecure = false;
      const servername = isIP(host) ? {} : { servername: host };
      // A certificate proves nothing here. The name of a mail server comes from unsigned DNS, most
      // have self-signed ones, and without TLS we would ask it all the same: so it is encryption
      // against listeners only (RFC 7435), as between all mail servers.
      socket = connectTls({ socket, rejectUnauthorized: false, ...servername }, () => {
        isSecure = true;
        changed?.();
      });
      listen();
      await within(times.replyMs, () => isSecure || undefined);
    },
    quit: () => new Promise((resolve) => socket.end('QUIT\r\n', () => resolve())),
  };
}

/** The mail server did not reply in time. */
export class TimeUp extends Error {
  constructor() {
    super('the mail server did not reply in time');
  }
}
