import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { openSolanaChain, type ChainOptions, type SolanaChain } from './chain.ts';
import { methodsOf } from './rpc/methods.ts';
import { RpcError } from './rpc_error.ts';
import { openSubscriptions, type Subscriptions } from './rpc/subscriptions.ts';
import { acceptWebSocket, type WebSocketEnd } from './rpc/web_socket.ts';

interface NodeOptions extends ChainOptions {
  readonly port?: number;
  /** Length of a slot. Absent: the next one begins with `advance` or a transaction. */
  readonly slotMs?: number;
}

/** JSON-RPC over HTTP and WebSocket at one address, like a node of Solana. */
export interface SolanaNode {
  readonly url: string;
  /** URL for subscriptions. web3.js would look for it at the next port. */
  readonly wsUrl: string;
  readonly chain: SolanaChain;
  /** Moves to later slots. */
  advance(count?: number): void;
  /** Number of open WebSockets. */
  webSockets(): number;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 1_000_000;
const SAVE_MS = 1_000;

export async function startSolanaNode(options: NodeOptions): Promise<SolanaNode> {
  const chain = openSolanaChain(options);
  const methods = methodsOf(chain);
  const connections = new Map<WebSocketEnd, Subscriptions>();
  const notify = () => connections.forEach((subscriptions) => subscriptions.notify());

  function answer({ id = null, method, params = [] }: Question, own?: Subscriptions): object {
    try {
      const result = own?.call(method, params) ?? methods.get(method)?.(params);
      if (result === undefined) throw new RpcError(-32601, 'Method not found');
      return { jsonrpc: '2.0', id, result };
    } catch (error) {
      return { jsonrpc: '2.0', id, error: faultOf(error) };
    }
  }
  function answers(text: string, own?: Subscriptions): string {
    const questions = JSON.parse(text) as Question | Question[];
    const found = Array.isArray(questions)
      ? questions.map((question) => answer(question, own))
      : answer(questions, own);
    return JSON.stringify(found);
  }

  const server = createServer((request, response) => {
    void textOf(request)
      .then((text) => answers(text))
      .catch(() => JSON.stringify({ jsonrpc: '2.0', id: null, error: PARSE_ERROR }))
      .then((text) => response.setHeader('content-type', 'application/json').end(text))
      .then(notify);
  });
  server.on('upgrade', (request, socket) => {
    const subscriptions = openSubscriptions(chain, (message) => end.send(JSON.stringify(message)));
    const end = acceptWebSocket(request, socket, {
      text(text) {
        end.send(answers(text, subscriptions));
        notify();
      },
      close: () => void connections.delete(end),
    });
    connections.set(end, subscriptions);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });

  function advance(count = 1) {
    chain.slots.advance(count);
    notify();
  }
  const { slotMs } = options;
  const ticking = slotMs === undefined ? undefined : setInterval(advance, slotMs);
  const saving = setInterval(() => chain.save(), SAVE_MS);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    chain,
    advance,
    webSockets: () => connections.size,
    async close() {
      clearInterval(ticking);
      clearInterval(saving);
      for (const end of connections.keys()) end.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      chain.save();
    },
  };
}

interface Question {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

const PARSE_ERROR = { code: -32700, message: 'Parse error' };

function faultOf(error: unknown) {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { code, message, ...(data && { data }) };
  }
  return { code: -32602, message: `Invalid params: ${(error as Error).message}` };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
