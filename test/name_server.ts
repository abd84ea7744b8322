import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decode, encode, type Answer } from 'dns-packet';

/** A real name server on loopback for DNS_SERVERS, which answers what a test wants. */
export interface NameServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** The names that were asked for, in order: `A host.example`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** A server that fails, a name that nobody has, and a server that does not answer at all. */
type Failure = keyof typeof CODES | 'silence';
const CODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

/** `answer` gives the records of a question; none: the name has no such record. */
export async function startNameServer(
  answer: (type: string, name: string) => Answer[] | Failure,
): Promise<NameServer> {
  const asked: string[] = [];
  const told = new Map<string, Answer[] | Failure>();
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const query = decode(message);
    const { type, name } = query.questions![0]!;
    // One that is sent again, because its answer was late, is the same question.
    const question = `${query.id} ${type} ${name}`;
    const before = told.get(question);
    if (!before) asked.push(`${type} ${name}`);
    const found = before && before !== 'silence' ? before : answer(type, name.toLowerCase());
    told.set(question, found);
    if (found === 'silence') return;
    const failed = typeof found === 'string';
    const reply = encode({
      type: 'response',
      ...(query.id !== undefined && { id: query.id }),
      flags: 0x0180 | (failed ? CODES[found] : 0), // recursion desired and available
      questions: query.questions!,
      answers: failed ? [] : found,
    });
    socket.send(reply, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  socket.unref(); // The one that all houses share is closed by nobody.
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

let quiet: Promise<NameServer> | undefined;
/** The one of houses that are given none: nobody has any name, and no test asks the internet. */
export const quietNameServer = () => (quiet ??= startNameServer(() => 'NXDOMAIN'));
