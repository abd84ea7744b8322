import type { Socket } from 'node:net';

/** Words and actions of a mail server. Undefined: those of an honest catch-all. */
interface Script {
  /** Instead of a greeting at once. */
  readonly greet?: (socket: Socket) => void;
  readonly ehlo?: string;
  readonly mail?: string;
  readonly startTls?: (socket: Socket) => void;
  /** The reply for a recipient, or what it does instead of one. */
  readonly recipient?: (recipient: string, socket: Socket) => string | void;
}

/** A mail server by a script, over any connection. */
export const play =
  ({ greet, ehlo, mail, startTls, recipient }: Script = {}) =>
  (socket: Socket): void => {
    if (greet) greet(socket);
    else socket.write('220 hello\r\n');
    let received = '';
    socket.on('data', (data) => {
      received += data.toString('latin1');
      for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
        const line = received.slice(0, end);
        received = received.slice(end + 2);
        const reply = replyTo(line);
        if (reply) socket.write(`${reply}\r\n`);
      }
    });

    function replyTo(line: string): string | void {
      if (line.startsWith('EHLO')) return ehlo ?? '250 hi';
      if (line.startsWith('MAIL')) return mail ?? '250 ok';
      if (line.startsWith('STARTTLS')) return startTls?.(socket);
      const [, name] = /^RCPT TO:<(.*)>/.exec(line) ?? [];
      if (name !== undefined) return recipient ? recipient(name, socket) : '250 ok';
      if (line.startsWith('QUIT')) socket.end('221 bye\r\n');
      return undefined;
    }
  };

/** Writes this so often until the other side has gone. */
function dribble(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** Says it after so long, if the other side is still there. */
function late(socket: Socket, text: string, ms: number): void {
  const timer = setTimeout(() => socket.write(text), ms);
  socket.on('close', () => clearTimeout(timer));
}

/** Sends as much as the other side takes. */
function flood(socket: Socket, text: string): void {
  const chunk = text.repeat(Math.ceil(65_536 / text.length));
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

/** Reply of a server that knows ada and refuses all others. */
const onlyAda = (recipient: string): string =>
  recipient.startsWith('ada@') ? '250 ok' : '550 5.1.1 No such user';

/** Mail servers that hold up, mislead or flood whoever asks them. */
export const CHARACTERS: Readonly<Record<string, (socket: Socket) => void>> = {
  silent: () => undefined,
  'slow-greeting': play({
    greet: (socket) => late(socket, '220 hello\r\n', 4_000),
    recipient: onlyAda,
  }),
  'a-byte-at-a-time': (socket) => dribble(socket, '2', 50),
  'greeting-without-end': (socket) => dribble(socket, '220-and hello\r\n', 5),
  'line-without-end': (socket) => flood(socket, 'x'),
  'lines-without-end': (socket) => flood(socket, '220-more\r\n'),
  'replies-without-end': play({ recipient: (_name, socket) => flood(socket, '250-ok\r\n') }),
  'defers-all': play({ recipient: () => '451 4.3.0 Try again later' }),
  'refuses-all-by-policy': play({ recipient: () => '550 5.7.1 Rejected by policy' }),
  'repeats-the-address': play({
    recipient: (name) => `550 <${name}>: no ${name.split('@')[0]} here`,
  }),
  'disconnects-after-rcpt': play({ recipient: (_name, socket) => void socket.end() }),
  'resets-after-rcpt': play({ recipient: (_name, socket) => void socket.resetAndDestroy() }),
  'resets-at-once': (socket) => void socket.resetAndDestroy(),
  'hanging-tls': play({
    ehlo: '250-hi\r\n250 STARTTLS',
    mail: '530 5.7.0 Must issue a STARTTLS command first',
    startTls: (socket) => void socket.write('220 go\r\n'),
  }),
  'catch-all': play(),
  tarpit: play({ recipient: (_name, socket) => late(socket, '250 ok\r\n', 40_000) }),
  'endless-tarpit': play({ recipient: (_name, socket) => dribble(socket, '250-wait\r\n', 500) }),
  'speaks-http': (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  'answers-before-it-is-asked': (socket) =>
    void socket.write('220 hello\r\n250 hi\r\n250 ok\r\n550 5.1.1 no\r\n550 5.1.1 no\r\n'),
};
