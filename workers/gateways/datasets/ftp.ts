import { Client, FTPError } from 'basic-ftp';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

import type { FtpDelivery } from '../../../shared/domains/datasets/ftp_delivery.ts';
import type { CheckFault, DatasetGateway } from '../../../shared/domains/datasets/gateway.ts';
import { isAddress } from '../../../shared/platform/egress/addresses.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { faultOf } from './reason.ts';

/** Time for names, both connections and all commands. */
const SESSION_MS_MAX = 20_000;
/** Maximum length of answers to commands. The library reads them again with each new piece. */
const ANSWER_CHARS_MAX = 32 * 1024;

/** FTP servers of sellers, reached through the egress guard. */
export const openFtp = (
  egress: Egress,
  sessionMsMax = SESSION_MS_MAX,
): Pick<DatasetGateway, 'checkFtp'> => ({
  async checkFtp(server) {
    const ended = AbortSignal.timeout(sessionMsMax);
    const client = new Client(0);
    ended.addEventListener('abort', () => client.ftp.closeWithError(ended.reason as Error));
    let control: Socket | undefined;
    try {
      const limits = { timeoutMs: sessionMsMax, signal: ended };
      control = await egress.connect(server, limits);
      await login(client, control, server);
      const size_bytes = await sizeOf(client, server.path);
      const port = await passivePort(client);
      // Connect only to the address that was checked, whatever address the server names.
      const data = await egress.connect({ host: control.remoteAddress!, port }, limits);
      try {
        const command = size_bytes === null ? 'LIST' : `RETR ${server.path}`;
        await firstOf(client, data, { command, ended });
      } finally {
        data.destroy();
      }
      return { size_bytes };
    } catch (error) {
      return refusalOf(error);
    } finally {
      client.close();
      control?.destroy();
    }
  },
});

async function login(
  client: Client,
  control: Socket,
  { host, protocol, username, password }: FtpDelivery,
): Promise<void> {
  const { ftp } = client;
  ftp.socket = control;
  limitAnswers(client);
  await ftp.handle(undefined, (answer, task) => {
    if (answer instanceof Error) task.reject(answer);
    else if (answer.code >= 200) task.resolve(answer); // 120: not ready yet.
  });
  if (protocol === 'ftps') {
    await client.useTLS({ host, ...(!isAddress(host) && { servername: host }) });
    control.on('error', () => undefined); // The library has removed all listeners.
    limitAnswers(client);
  }
  await client.login(username, password);
  if (protocol === 'ftps') {
    await client.send('PBSZ 0');
    await client.send('PROT P');
  }
  await client.send('TYPE I');
}

function limitAnswers({ ftp }: Client): void {
  let chars = 0;
  ftp.socket.on('data', (text: string) => {
    chars += text.length;
    if (chars > ANSWER_CHARS_MAX) ftp.closeWithError(new Error('it sends too much'));
  });
}

/** Size of the file at this path; null: it is a folder, which is now the working folder. */
async function sizeOf(client: Client, path: string): Promise<number | null> {
  if (await unlessRefused(client.send(`CWD ${path}`))) return null;
  const size = await client.size(path);
  if (!Number.isSafeInteger(size) || size < 0) throw new Error('it names no size of the file');
  return size;
}

/** The port at which it waits for a data connection. */
async function passivePort({ ftp }: Client): Promise<number> {
  const extended = await unlessRefused(ftp.request('EPSV'));
  const port = extended
    ? Number(/\|\|\|(\d{1,5})\|/.exec(extended.message)?.[1])
    : portOfPassive((await ftp.request('PASV')).message);
  if (!(port >= 1 && port <= 65_535)) throw new Error('it names no port for the data');
  return port;
}

function portOfPassive(message: string): number {
  const [, high, low] = /\d{1,3}(?:,\d{1,3}){3},(\d{1,3}),(\d{1,3})/.exec(message) ?? [];
  return Number(high) * 256 + Number(low);
}

/** Resolves when the server sends data for the command, or reports that there is none. */
async function firstOf(
  { ftp }: Client,
  plain: Socket,
  { command, ended }: { command: string; ended: AbortSignal },
): Promise<void> {
  const data = ftp.hasTLS ? withTls(ftp, plain) : plain;
  data.on('error', () => undefined);
  const sent = Promise.race([
    once(data, 'data', { signal: ended }),
    once(data, 'end', { signal: ended }),
  ]);
  sent.catch(() => undefined); // It is awaited after the command is accepted.
  await ftp.request(command);
  await sent;
}

/** Reuses the TLS session of the control connection, which servers want as proof of the client. */
function withTls(ftp: Client['ftp'], socket: Socket): TLSSocket {
  const session = ftp.tlsSessionStore ?? (ftp.socket as TLSSocket).getSession();
  return connectTls({ ...ftp.tlsOptions, socket, ...(session && { session }) });
}

const unlessRefused = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof FTPError) return undefined;
    throw error;
  });

/** Answers of a server may name its users and folders, which are the seller's own. */
const refusalOf = (error: unknown): CheckFault =>
  error instanceof FTPError
    ? { fault: `The server refused: ${error.message.slice(0, 200)}.` }
    : faultOf(error);
