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

/** `answer` gives the records of a question; none: the name has no such record. */
export async function startNameServer(
  answer: (type: string, name: string) => Answer[],
): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const query = decode(message);
    const { type, name } = query.questions![0]!;
    asked.push(`${type} ${name}`);
    const reply = encode({
      type: 'response',
      ...(query.id !== undefined && { id: query.id }),
      flags: 0x0180, // recursion desired and available
      questions: query.questions!,
      answers: answer(type, name.toLowerCase()),
    });
    socket.send(reply, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
