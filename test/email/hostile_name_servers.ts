import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { decode, encode, type Answer, type Packet } from 'dns-packet';

import { answersOf, PUBLIC, type Name } from './zone.ts';

/** A question as it came, and how to answer it over what it came by. */
interface Asked {
  readonly type: string;
  readonly name: string;
  readonly query: Packet;
  readonly isTcp: boolean;
  readonly send: (message: Buffer) => void;
}

const TRUNCATED = 0x0200;
const ANSWERED = 0x8180;

/** An answer that holds these records. */
const answerOf = ({ query }: Asked, answers: Answer[], flags = 0): Buffer =>
  encode({
    type: 'response',
    id: query.id!,
    flags: (ANSWERED & 0x7fff) | flags,
    questions: query.questions!,
    answers,
  });

const mx = (name: string, exchange: string, preference = 10): Answer => ({
  type: 'MX',
  name,
  ttl: 60,
  data: { preference, exchange },
});
const alias = (name: string, data: string): Answer => ({ type: 'CNAME', name, ttl: 60, data });
const address = (name: string, data: string): Answer => ({ type: 'A', name, ttl: 60, data });

/** Records of MX, an address for what they name, and nothing else. */
const withMx =
  (records: (name: string) => Answer[], host = PUBLIC) =>
  (asked: Asked): void => {
    const { type, name } = asked;
    if (type === 'MX') asked.send(answerOf(asked, records(name)));
    else asked.send(answerOf(asked, type === 'A' ? [address(name, host)] : []));
  };

/** The answer to MX; everything else is answered as it should be. */
const insteadOfMx =
  (answer: (asked: Asked, honest: Buffer) => void) =>
  (asked: Asked): void => {
    const honest = answerOf(asked, [mx(asked.name, 'mx.honest.example')]);
    if (asked.type === 'MX') return answer(asked, honest);
    return asked.send(answerOf(asked, asked.type === 'A' ? [address(asked.name, PUBLIC)] : []));
  };

const changed = (message: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(message);
  change(copy);
  return copy;
};

const MANY = 3_000;
const LATE_MS = 700;

/** The most that fit: the later ones are preferred. Each name points back at the question's. */
function withManyHosts(empty: Buffer): Buffer {
  const records = Array.from({ length: MANY }, (_, n) => {
    const record = Buffer.from(
      'c00c000f00010000003c0009' + '0000' + '04'.padEnd(10, '0') + 'c00c',
      'hex',
    );
    record.writeUInt16BE(MANY - n, 12);
    record.write(String(n).padStart(4, '0'), 15);
    return record;
  });
  const header = changed(empty, (copy) => copy.writeUInt16BE(MANY, 6));
  return Buffer.concat([header, ...records]);
}

/** Behaviour of a name server with questions about names below its own one. */
export const CHARACTERS: Readonly<Record<string, (asked: Asked) => void>> = {
  silent: () => undefined,
  slow: insteadOfMx(({ send }, honest) => setTimeout(send, LATE_MS, honest)),
  truncated: insteadOfMx((asked, honest) =>
    asked.send(asked.isTcp ? honest : answerOf(asked, [], TRUNCATED)),
  ),
  'truncated-for-ever': insteadOfMx((asked) => asked.send(answerOf(asked, [], TRUNCATED))),
  'truncated-then-silent': insteadOfMx((asked) => {
    if (!asked.isTcp) asked.send(answerOf(asked, [], TRUNCATED));
  }),
  huge: insteadOfMx((asked) => {
    if (!asked.isTcp) return asked.send(answerOf(asked, [], TRUNCATED));
    return asked.send(withManyHosts(answerOf(asked, [])));
  }),
  'wrong-owner': withMx(() => [mx('victim.example', 'mx.victim.example')]),
  'wrong-id': insteadOfMx(({ send }, honest) => {
    send(changed(honest, (copy) => copy.writeUInt16BE(copy.readUInt16BE(0) ^ 1, 0)));
  }),
  'wrong-question': insteadOfMx(({ send, query }) => {
    const question = { type: 'MX' as const, name: 'other.example', class: 'IN' as const };
    const answers = [mx('other.example', 'mx.honest.example')];
    send(encode({ ...query, type: 'response', questions: [question], answers }));
  }),
  'guesses-without-end': insteadOfMx(({ send }, honest) => {
    for (let n = 1; n <= 200; n += 1) {
      send(changed(honest, (copy) => copy.writeUInt16BE((copy.readUInt16BE(0) + n) & 0xffff, 0)));
    }
  }),
  'alias-chain': withMx((name) => [
    alias(name, `b.${name}`),
    alias(`b.${name}`, `c.${name}`),
    mx(`c.${name}`, 'mx.honest.example'),
  ]),
  'alias-loop': withMx((name) => [alias(name, `b.${name}`), alias(`b.${name}`, name)]),
  'alias-chain-without-end': withMx((name) =>
    Array.from({ length: 40 }, (_, n) => alias(n ? `n${n}.${name}` : name, `n${n + 1}.${name}`)),
  ),
  'private-address': withMx((name) => [mx(name, `mx.${name}`)], '10.0.0.1'),
  'loopback-address': withMx((name) => [mx(name, `mx.${name}`)], '127.0.0.1'),
  'metadata-address': withMx((name) => [mx(name, `mx.${name}`)], '169.254.169.254'),
  'cut-off': insteadOfMx(({ send }, honest) => send(honest.subarray(0, honest.length - 9))),
  'pointer-loop': insteadOfMx(({ send, name }, honest) => {
    const owner = 12 + name.length + 2 + 4;
    // The owner of the first record points at itself.
    send(changed(honest, (copy) => copy.writeUInt16BE(0xc000 | owner, owner)));
  }),
  'counts-what-is-not-there': insteadOfMx(({ send }, honest) => {
    send(changed(honest, (copy) => copy.writeUInt16BE(0xffff, 6)));
  }),
  noise: insteadOfMx(({ send, query }) => {
    send(Buffer.concat([Buffer.from([query.id! >> 8, query.id! & 0xff]), Buffer.alloc(900, 0xc1)]));
  }),
};

/**
 * One server for all of them: `x.silent.example` is asked of the silent one, others honestly: these
 * names if they are given.
 */
export async function startHostileNameServer(names?: Record<string, Name>) {
  const honestly = names ? answeringFrom(names) : answerHonestly;
  const asked: string[] = [];
  function receive(message: Buffer, isTcp: boolean, send: (message: Buffer) => void): void {
    const query = decode(message);
    const { type, name } = query.questions![0]!;
    asked.push(`${type} ${name}`);
    const [, zone = ''] = /([^.]+)\.example$/.exec(name) ?? [];
    const behave = CHARACTERS[zone] ?? honestly;
    behave({ type, name: name.toLowerCase(), query, isTcp, send });
  }

  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    socket.once('data', (data: Buffer) => {
      receive(data.subarray(2), true, (message) => {
        socket.write(Buffer.from([message.length >> 8, message.length & 0xff]));
        socket.write(message);
      });
    });
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as { port: number };
  const udp = createSocket('udp4');
  udp.on('message', (message: Buffer, from: RemoteInfo) => {
    receive(message, false, (answer) => {
      if (answer.length <= 60_000) udp.send(answer, from.port, from.address);
    });
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    address: `127.0.0.1:${port}`,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void tcp.close(() => resolve()));
      await new Promise<void>((resolve) => void udp.close(() => resolve()));
    },
  };
}

const NO_SUCH_NAME = 3;
const SERVER_FAILED = 2;

/** Answers for these names, each of which has one. */
const answeringFrom = (names: Record<string, Name>) => {
  const find = answersOf(names);
  return (asked: Asked): void => {
    const found = find(asked.type, asked.name);
    if (typeof found !== 'string') return asked.send(answerOf(asked, found));
    asked.send(answerOf(asked, [], found === 'NXDOMAIN' ? NO_SUCH_NAME : SERVER_FAILED));
  };
};
const anyMailServer = insteadOfMx(({ send }, honest) => send(honest));

/** A server that is to be trusted: it knows `com`, and of `invalid` that nothing is there. */
function answerHonestly(asked: Asked): void {
  const { type, name } = asked;
  if (name.endsWith('.invalid')) return asked.send(answerOf(asked, [], NO_SUCH_NAME));
  if (type !== 'NS') return anyMailServer(asked);
  return asked.send(answerOf(asked, [{ type, name, ttl: 60, data: 'a.gtld-servers.net' }]));
}
