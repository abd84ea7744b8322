import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { run } from './avm/run.ts';
import { algodRoutes } from './http/algod.ts';
import { answerBy, type Answer } from './http/answer.ts';
import { indexerRoutes } from './http/indexer.ts';
import { openJournal } from './journal.ts';
import { openChain, type TakenTransaction } from './ledger/chain.ts';

export interface AlgorandOptions {
  /** Address that has all money at first. */
  readonly bank: string;
  /** 0: any free port. */
  readonly port?: number;
  /**
   * Length of a round, which holds whatever was sent meanwhile. Absent: each group gets a round of
   * its own at once, and so does each wait for a round.
   */
  readonly roundMs?: number;
  /** File that keeps the state over a restart. */
  readonly file?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** A node of Algorand and its indexer, on 127.0.0.1. */
export interface Algorand {
  /** Value for ALGO_NODE_URL. It needs no token. */
  readonly algodUrl: string;
  readonly indexerUrl: string;
  lastRound(): bigint;
  /** Ends this number of rounds. */
  advance(rounds: number): void;
  /** From now on only `advance` ends rounds. */
  hold(): void;
  close(): Promise<void>;
}

const INDEXER = '/idx';
const BODY_BYTES_MAX = 1_000_000;
const WAIT_MS_MAX = 60_000;

/**
 * Stands in for an Algorand network: the SDK talks to it unchanged, and it verifies requests as a
 * node does, without consensus behind it. Its genesis hash is its own, so that nothing of it counts
 * on another network.
 */
export async function openAlgorand(options: AlgorandOptions): Promise<Algorand> {
  const { roundMs = 0, now = Date.now } = options;
  const journal = openJournal(options.file, now);
  const { bank } = options;
  const chain = openChain({ bank, runProgram: run, now: () => journal.now(), roundMs });
  journal.replay(chain);
  let isHeld = false;
  const waiters = new Set<() => void>();
  const closing = new AbortController();

  function advanceTo(round: bigint): void {
    chain.advanceTo(round);
    for (const wake of waiters) wake();
  }

  function take(bytes: Uint8Array): readonly TakenTransaction[] {
    const taken = chain.take(bytes);
    journal.append({ round: taken[0]!.round, bytes });
    if (!roundMs && !isHeld) advanceTo(chain.lastRound() + 1n);
    return taken;
  }

  async function over(round: bigint): Promise<void> {
    if (!roundMs && !isHeld && chain.lastRound() <= round) advanceTo(round + 1n);
    const until = AbortSignal.any([AbortSignal.timeout(WAIT_MS_MAX), closing.signal]);
    while (chain.lastRound() <= round && !until.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          waiters.delete(wake);
          until.removeEventListener('abort', wake);
          resolve();
        };
        waiters.add(wake);
        until.addEventListener('abort', wake);
      });
    }
  }

  const algod = algodRoutes({ chain, take, over });
  const indexer = indexerRoutes(chain);

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { method = 'GET', url = '/' } = request;
    const { pathname, searchParams: query } = new URL(url, 'http://algorand.invalid');
    const isIndexer = pathname.startsWith(`${INDEXER}/`);
    const path = isIndexer ? pathname.slice(INDEXER.length) : pathname;
    const question = { method, path, query, body: await bodyOf(request) };
    return answerBy(isIndexer ? indexer : algod, question);
  }

  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => tooLong(response),
    );
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const timer = roundMs ? setInterval(() => advanceTo(due()), roundMs) : undefined;
  timer?.unref();
  // Computed from the clock, so that a restart never goes back to rounds that were over.
  const due = () => {
    const byClock = BigInt(Math.floor((now() - journal.beganAt) / roundMs));
    return byClock > chain.lastRound() ? byClock : chain.lastRound() + 1n;
  };
  if (roundMs) advanceTo(due());

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    algodUrl: url,
    indexerUrl: url + INDEXER,
    lastRound: () => chain.lastRound(),
    advance: (rounds) => advanceTo(chain.lastRound() + BigInt(rounds)),
    hold() {
      isHeld = true;
      clearInterval(timer);
    },
    async close() {
      clearInterval(timer);
      closing.abort();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('the body is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLong(response: ServerResponse): void {
  const message = JSON.stringify({ message: `a body has ${BODY_BYTES_MAX} bytes at most` });
  response.writeHead(413, { 'content-type': 'application/json' }).end(message);
}
