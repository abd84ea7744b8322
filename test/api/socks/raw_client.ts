import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client that sends and reads bytes, for what no library would send. */
export class RawClient {
  /** `from`: the address of this machine that it connects from. */
  static async with(port: number, from = '127.0.0.1'): Promise<RawClient> {
    const socket = connect({
      host: '127.0.0.1',
      port,
      localAddress: from,
      noDelay: true,
      allowHalfOpen: true,
    });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** No client that was left open outlives a test. */
  static closeAll(): void {
    for (const socket of RawClient.#open) socket.destroy();
  }
  static readonly #open = new Set<Socket>();

  readonly socket: Socket;
  /** Resolves when the other side has ended or reset the connection. */
  readonly closed: Promise<void>;
  /** Whether the connection was reset. */
  wasReset = false;
  #received: Buffer[] = [];
  #isClosed = false;
  #notify = () => undefined as void;

  constructor(socket: Socket) {
    this.socket = socket;
    RawClient.#open.add(socket);
    socket.on('close', () => RawClient.#open.delete(socket));
    socket.on('error', () => (this.wasReset = true));
    socket.on('data', (data: Buffer) => {
      this.#received.push(data);
      this.#notify();
    });
    this.closed = new Promise((resolve) => {
      const end = () => {
        this.#isClosed = true;
        this.#notify();
        resolve();
      };
      socket.on('end', end).on('close', end);
    });
  }

  send(...bytes: (number | string | Buffer)[]): void {
    this.socket.write(Buffer.concat(bytes.map((part) => bytesOf(part))));
  }

  /** The next bytes, exactly so many; fewer only where nothing more will come. */
  async read(bytes: number): Promise<Buffer> {
    const length = () => this.#received.reduce((sum, { length: more }) => sum + more, 0);
    while (length() < bytes && !this.#isClosed) {
      await new Promise<void>((resolve) => (this.#notify = resolve));
    }
    const all = Buffer.concat(this.#received);
    this.#received = [all.subarray(bytes)];
    return all.subarray(0, bytes);
  }

  /** All bytes until the end. */
  async readAll(): Promise<Buffer> {
    await this.closed;
    return Buffer.concat(this.#received.splice(0));
  }

  close(): void {
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
  const address = typeof host === 'string' ? [3, ...withLength(host)] : [kind, ...host];
  const parts = [5, command, 0, ...address, port >> 8, port & 255];
  return Buffer.concat(parts.map(bytesOf));
}

interface ConnectOptions {
  readonly key: string;
  /** The user name. */
  readonly name?: string;
  /** The address that it connects from. */
  readonly from?: string;
  readonly host?: string | readonly number[];
  readonly port: number;
  readonly command?: number;
}

/** The answers of the server to a login and a request. */
export interface ConnectAnswer {
  /** The status of the login; undefined: none came. */
  readonly login: number | undefined;
  /** The reply to the request. */
  readonly reply: number | undefined;
  readonly client: RawClient;
}

/** Greets and logs in, and waits for each answer. */
export async function logIn(
  server: { port: number },
  { key, name = 'agent', from }: Pick<ConnectOptions, 'key' | 'name' | 'from'>,
): Promise<{ client: RawClient; status: number | undefined }> {
  const client = await RawClient.with(server.port, from);
  client.send(GREETING);
  await client.read(2);
  client.send(login(name, key));
  const [, status] = await client.read(2);
  return { client, status };
}

/** Logs in and requests a target. */
export async function requestTarget(
  server: { port: number },
  { host = 'target.example', port, command, ...who }: ConnectOptions,
): Promise<ConnectAnswer> {
  const { client, status } = await logIn(server, who);
  if (status !== 0) return { login: status, reply: undefined, client };
  client.send(request(host, port, command));
  const [, reply] = await client.read(10);
  return { login: status, reply, client };
}

/** The reply alone; then it disconnects. */
export async function replyTo(
  server: { port: number },
  wanted: ConnectOptions,
): Promise<number | undefined> {
  const { reply, client } = await requestTarget(server, wanted);
  client.close();
  return reply;
}
