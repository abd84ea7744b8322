import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode, type Answer } from 'dns-packet';

/** A real name server on loopback for DNS_SERVERS, which gives the answers that a test wants. */
export interface NameServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** The names that were asked for, in order: `A host.example`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** A server that fails, a name that does not exist, and a server that does not answer. */
type Failure = keyof typeof CODES | 'no answer';
const CODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

type Reply = Answer[] | Failure | Promise<Answer[] | Failure>;

/** `answer` gives the records of a question; none: the name has no such record. */
export async function startNameServer(
  answer: (type: string, name: string) => Reply,
): Promise<NameServer> {
  const asked: string[] = [];
  const answers = new Map<string, Reply>();
  const socket = createSocket('udp4');
  let isClosed = false;
  async function respond(message: Buffer, from: RemoteInfo): Promise<void> {
    const query = decode(message);
    const { type, name } = query.questions![0]!;
    // A resolver repeats a question whose answer is slow: it is the same question.
    const question = `${query.id} ${type} ${name}`;
    const before = answers.get(question);
    if (!before) asked.push(`${type} ${name}`);
    const reply = before && before !== 'no answer' ? before : answer(type, name.toLowerCase());
    answers.set(question, reply);
    const found = reply instanceof Promise ? await reply : reply;
    if (found === 'no answer' || isClosed) return;
    const failed = typeof found === 'string';
    const response = encode({
      type: 'response',
      ...(query.id !== undefined && { id: query.id }),
      flags: 0x0180 | (failed ? CODES[found] : 0), // recursion desired and available
      questions: query.questions!,
      answers: failed ? [] : found,
    });
    socket.send(response, from.port, from.address);
  }
  socket.on('message', (message, from) => void respond(message, from));
  socket.bind(0, '127.0.0.1');
  socket.unref(); // The one that all platforms share is never closed.
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close() {
      isClosed = true;
      return new Promise((resolve) => socket.close(() => resolve()));
    },
  };
}

let quiet: Promise<NameServer> | undefined;
/** For platforms that are given none: no name exists, and no test asks the internet. */
export const quietNameServer = () => (quiet ??= startNameServer(() => 'NXDOMAIN'));
