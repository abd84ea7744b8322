import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client that says bytes and hears bytes, for what no library would say. */
export class Talk {
  static async with(port: number): Promise<Talk> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true });
    await once(socket, 'connect');
    return new Talk(socket);
  }

  /** Nobody who was left talking outlives a test. */
  static leaveAll(): void {
    for (const socket of Talk.#open) socket.destroy();
  }
  static readonly #open = new Set<Socket>();

  readonly socket: Socket;
  /** Resolves when the other side has ended or broken off. */
  readonly over: Promise<void>;
  /** Whether it was broken off. */
  wasReset = false;
  #heard: Buffer[] = [];
  #isOver = false;
  #tell = () => undefined as void;

  constructor(socket: Socket) {
    this.socket = socket;
    Talk.#open.add(socket);
    socket.on('close', () => Talk.#open.delete(socket));
    socket.on('error', () => (this.wasReset = true));
    socket.on('data', (data: Buffer) => {
      this.#heard.push(data);
      this.#tell();
    });
    this.over = new Promise((resolve) => {
      const end = () => {
        this.#isOver = true;
        this.#tell();
        resolve();
      };
      socket.on('end', end).on('close', end);
    });
  }

  say(...bytes: (number | string | Buffer)[]): void {
    this.socket.write(Buffer.concat(bytes.map((part) => bytesOf(part))));
  }

  /** The next bytes, exactly so many; fewer only where nothing more will come. */
  async hear(bytes: number): Promise<Buffer> {
    const length = () => this.#heard.reduce((sum, { length: more }) => sum + more, 0);
    while (length() < bytes && !this.#isOver) {
      await new Promise<void>((resolve) => (this.#tell = resolve));
    }
    const all = Buffer.concat(this.#heard);
    this.#heard = [all.subarray(bytes)];
    return all.subarray(0, bytes);
  }

  /** All there is to come. */
  async rest(): Promise<Buffer> {
    await this.over;
    return Buffer.concat(this.#heard.splice(0));
  }

  leave(): void {
    this.socket.destroy();
  }
}

const bytesOf = (part: number | string | Buffer): Buffer =>
  typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part as Buffer);

const withLength = (text: string) => [Buffer.byteLength(text), text];

/** The messages of a client, as bytes. */
export const GREETING = Buffer.from([5, 1, 2]);
export const login = (name: string, key: string): Buffer =>
  Buffer.concat([1, ...withLength(name), ...withLength(key)].map(bytesOf));

/** To a name, or to the bytes of an address. */
export function request(host: string | readonly number[], port: number, command = 1): Buffer {
  const kind = host.length === 4 ? 1 : 4;
  const place = typeof host === 'string' ? [3, ...withLength(host)] : [kind, ...host];
  const parts = [5, command, 0, ...place, port >> 8, port & 255];
  return Buffer.concat(parts.map(bytesOf));
}

export interface Wanted {
  readonly key: string;
  /** The user name. */
  readonly name?: string;
  readonly host?: string | readonly number[];
  readonly port: number;
  readonly command?: number;
}

/** What came of asking the door for a connection. */
export interface Told {
  /** The status of the login; undefined: none came. */
  readonly login: number | undefined;
  /** The reply to the request. */
  readonly reply: number | undefined;
  readonly talk: Talk;
}

/** Greets and logs in, waiting for each answer. */
export async function enter(
  door: { port: number },
  { key, name = 'agent' }: Pick<Wanted, 'key' | 'name'>,
): Promise<{ talk: Talk; status: number | undefined }> {
  const talk = await Talk.with(door.port);
  talk.say(GREETING);
  await talk.hear(2);
  talk.say(login(name, key));
  const [, status] = await talk.hear(2);
  return { talk, status };
}

/** Enters and asks. */
export async function ask(
  door: { port: number },
  { key, name, host = 'target.example', port, command }: Wanted,
): Promise<Told> {
  const { talk, status } = await enter(door, { key, ...(name !== undefined && { name }) });
  if (status !== 0) return { login: status, reply: undefined, talk };
  talk.say(request(host, port, command));
  const [, reply] = await talk.hear(10);
  return { login: status, reply, talk };
}

/** The reply alone, and then nothing more. */
export async function replyTo(door: { port: number }, wanted: Wanted): Promise<number | undefined> {
  const { reply, talk } = await ask(door, wanted);
  talk.leave();
  return reply;
}
