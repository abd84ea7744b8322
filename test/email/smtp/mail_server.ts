import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** Why a mail server rejects a recipient; undefined: it accepts it. */
export type RecipientPolicy = (
  recipient: string,
) => Rejection | undefined | Promise<Rejection | undefined>;
interface Rejection {
  readonly code: number;
  readonly text: string;
}

export interface MailServer {
  readonly port: number;
  /** How many sessions there were in all, and how many at once at most. */
  readonly sessions: { count: number; concurrentMax: number };
  /** The recipients of all sessions, in order. */
  readonly recipients: readonly string[];
  readonly senders: readonly string[];
  close(): Promise<void>;
}

interface Options {
  /** Why it turns a client away at once. */
  readonly connect?: () => Error | undefined;
  /** It takes commands over TLS only. */
  readonly onlyTls?: boolean;
  /** It takes no international addresses (RFC 6531). */
  readonly onlyAscii?: boolean;
  readonly host?: string;
  readonly port?: number;
}

/** A real mail server on loopback. */
export async function startMailServer(
  rejects: RecipientPolicy,
  { connect, onlyTls = false, onlyAscii = false, host = '127.0.0.1', port: at = 0 }: Options = {},
): Promise<MailServer> {
  const recipients: string[] = [];
  const senders: string[] = [];
  const sessions = { count: 0, concurrentMax: 0 };
  let now = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: onlyTls ? ['AUTH'] : ['AUTH', 'STARTTLS'], // With a certificate of its own.
    hideSMTPUTF8: onlyAscii,
    disableReverseLookup: true, // That would ask the name servers of this machine.
    onConnect(_session, callback) {
      sessions.count += 1;
      now += 1;
      sessions.concurrentMax = Math.max(sessions.concurrentMax, now);
      callback(connect?.());
    },
    onClose: () => void (now -= 1),
    onMailFrom({ address }, { secure }, callback) {
      if (onlyTls && !secure) {
        const text = '5.7.0 Must issue a STARTTLS command first';
        return callback(Object.assign(new Error(text), { responseCode: 530 }));
      }
      senders.push(address);
      callback();
    },
    async onRcptTo({ address }, _session, callback) {
      recipients.push(address);
      const rejection = await rejects(address);
      callback(
        rejection
          ? Object.assign(new Error(rejection.text), { responseCode: rejection.code })
          : undefined,
      );
    },
  });
  server.on('error', () => undefined); // A client that disconnects is no fault of the test.
  server.listen(at, host);
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port, sessions, recipients, senders, close };
}

/** A server that answers as a test wants, for what no real mail server does. */
export async function startOddServer(
  answer: (socket: Socket) => void,
  { host = '127.0.0.1', port = 0 }: Pick<Options, 'host' | 'port'> = {},
) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    answer(socket);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
