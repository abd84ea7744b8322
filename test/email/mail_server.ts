import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** What a mail server says to a recipient; nothing: it takes it. */
export type Taking = (recipient: string) => No | undefined | Promise<No | undefined>;
interface No {
  readonly code: number;
  readonly text: string;
}

export interface MailServer {
  readonly port: number;
  /** How many talks there were, and how many at once. */
  readonly talks: { count: number; atOnceMax: number };
  /** Whom it was asked to take, in order. */
  readonly recipients: readonly string[];
  readonly senders: readonly string[];
  close(): Promise<void>;
}

/** A real mail server on loopback. */
export async function startMailServer(
  takes: Taking,
  { connect }: { connect?: () => Error | undefined } = {},
): Promise<MailServer> {
  const recipients: string[] = [];
  const senders: string[] = [];
  const talks = { count: 0, atOnceMax: 0 };
  let now = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true, // That would ask the name servers of this machine.
    onConnect(_session, callback) {
      talks.count += 1;
      now += 1;
      talks.atOnceMax = Math.max(talks.atOnceMax, now);
      callback(connect?.());
    },
    onClose: () => void (now -= 1),
    onMailFrom({ address }, _session, callback) {
      senders.push(address);
      callback();
    },
    async onRcptTo({ address }, _session, callback) {
      recipients.push(address);
      const no = await takes(address);
      callback(no ? Object.assign(new Error(no.text), { responseCode: no.code }) : undefined);
    },
  });
  server.on('error', () => undefined); // Who hangs up on it is no fault of the test.
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port, talks, recipients, senders, close };
}

/** A server that answers by its own lights, for what no honest mail server does. */
export async function startOddServer(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    answer(socket);
  });
  server.listen(0, '127.0.0.1');
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
