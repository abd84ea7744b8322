import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer as createTcp, isIPv6 } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

import { readSocksRequest } from './socks_peer.ts';

/** A real SOCKS5 proxy on loopback. */
export interface Peer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** Changes its behaviour. */
  become(behaviour: Behaviour): void;
  /** Connections so far. */
  readonly connections: number;
  /** Open connections. */
  readonly open: number;
  /** Host of the last target that it was asked for. */
  readonly asked: string;
  close(): Promise<void>;
}

export type Behaviour =
  | 'working'
  | 'dead' // disconnects every client
  | 'silent' // accepts connections and sends nothing
  | 'forging' // answers in the judge's name, with an address of its choice
  | 'garbling' // changes the judge's answer
  | 'password' // requires PEER_LOGIN
  | 'nameless' // resolves no names
  | 'resetting' // connects to nothing, says that it has, and resets at the first byte
  | 'mute'; // connects to nothing, says that it has, and no more

export const PEER_LOGIN = 'worker:s3cret@egress';

/** `exit`: the loopback address that it connects from. Its router shows it as a public one. */
export async function startPeer(behaviour: Behaviour, exit = '127.0.0.1'): Promise<Peer> {
  let now = behaviour;
  let connections = 0;
  let asked = '';
  const open = new Set<Socket>();
  async function serve(socket: Socket): Promise<void> {
    const login = now === 'password' ? PEER_LOGIN : undefined;
    const request = await readSocksRequest(socket, { login });
    if (!request) return;
    if (now === 'nameless' && request.isName) {
      request.answer(4);
      socket.resume().end();
      return;
    }
    if (now === 'forging') {
      request.answer(0);
      const body = JSON.stringify({ address: '8.8.8.8', nonce: 'n', proof: 'cHJvb2Y' });
      socket.resume().end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      return;
    }
    if (now === 'resetting' || now === 'mute') {
      const resets = now === 'resetting';
      request.answer(0);
      socket.on('data', () => resets && socket.resetAndDestroy());
      return;
    }
    asked = request.host;
    // This machine may have no way to IPv6.
    const host = request.isName || isIPv6(request.host) ? '127.0.0.1' : request.host;
    const out = connect({ host, port: request.port, localAddress: exit });
    out.on('error', () => socket.destroy());
    socket.on('close', () => out.destroy());
    out.on('connect', () => {
      request.answer(0);
      socket.pipe(out);
      if (now !== 'garbling') return out.pipe(socket);
      return out.on('data', (data: Buffer) => {
        socket.write(data.toString('latin1').replaceAll('127.0.0', '126.0.0'), 'latin1');
      });
    });
  }

  const server = createTcp((socket) => {
    connections += 1;
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
    if (now === 'dead') return socket.destroy();
    if (now === 'silent') return socket.resume();
    return void serve(socket).catch(() => socket.destroy());
  });
  await listening(server);
  return {
    address: `127.0.0.1:${portOf(server)}`,
    become(next) {
      now = next;
      if (now === 'dead') for (const socket of open) socket.destroy();
    },
    get connections() {
      return connections;
    },
    get open() {
      return open.size;
    },
    get asked() {
      return asked;
    },
    close() {
      // One whose other side is gone while nothing reads from it would stay open for ever.
      for (const socket of open) socket.destroy();
      return closed(server);
    },
  };
}

/** A router in front of an API: it adds the address it sees, as the internet would see it. */
export interface Router {
  readonly url: string;
  /** The URL that it forwards to; undefined: it answers 502. */
  to: string | undefined;
  close(): Promise<void>;
}

/** Loopback addresses, and the public address that each stands for. */
export const EXITS = {
  US: { local: '127.0.0.11', seen: '8.8.8.8' },
  DE: { local: '127.0.0.12', seen: '194.25.0.60' },
  JP: { local: '127.0.0.13', seen: '133.11.0.1' },
  private: { local: '127.0.0.14', seen: '10.0.0.1' },
} as const;

export async function startRouter(): Promise<Router> {
  const server = createServer((req, res) => {
    const { to } = router;
    if (to === undefined) return void res.writeHead(502).end();
    return pass(req, res, to);
  });
  await listening(server);
  const router: Router = {
    url: `http://localhost:${portOf(server)}`,
    to: undefined,
    async close() {
      server.closeAllConnections();
      await closed(server);
    },
  };
  return router;
}

function pass(req: IncomingMessage, res: ServerResponse, to: string): void {
  const local = req.socket.remoteAddress!.replace('::ffff:', '');
  const seen = Object.values(EXITS).find((exit) => exit.local === local)?.seen ?? local;
  const forwarded = [req.headers['x-forwarded-for'] ?? [], seen].flat().join(', ');
  const headers = { ...req.headers, 'x-forwarded-for': forwarded };
  const onward = request(`${to}${req.url}`, { method: req.method!, headers }, (answer) => {
    res.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(res);
  });
  onward.on('error', () => res.destroy());
  req.pipe(onward);
}

async function listening(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const closed = (server: Server) =>
  new Promise<void>((resolve) => void server.close(() => resolve()));
