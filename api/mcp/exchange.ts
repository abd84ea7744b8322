import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Server,
} from '@modelcontextprotocol/server';

import type { ToolList } from './tools.ts';
import { withKnownVersion } from './versions.ts';

/** A message of ours as JSON, in pieces: a list of tools is one Buffer for all that ask for it. */
export type Reply = readonly (string | Buffer)[];

/** A reply as an event of a stream. */
export const eventOf = (event: string, data: Reply): Reply => [
  `event: ${event}\ndata: `,
  ...data,
  '\n\n',
];

/** What messages are answered by. */
export interface Exchange {
  /** A new server for one request, so that its id needs to be unlike no other. */
  readonly open: () => Server;
  readonly list: () => ToolList;
  readonly cancel: (id: string | number) => void;
}

/** Sends a reply to a message: its answer, or before that its progress. */
export type Send = (reply: Reply, message: JSONRPCMessage) => void;

/**
 * Answers each request among these messages, whatever becomes of the others, and resolves when all
 * are answered. Other calls get their turn in between.
 */
export async function answerMessages(
  exchange: Exchange,
  messages: readonly JSONRPCMessage[],
  send: Send,
): Promise<void> {
  let turn: Promise<unknown> = Promise.resolve();
  const answers = messages.map((message) => {
    const answered = turn.then(() => answerMessage(exchange, message, send));
    turn = turn.then(() => nextTurn());
    return answered;
  });
  await Promise.all(answers);
}

/** A notification has no answer, and a response answers nothing that we have asked. */
async function answerMessage(
  exchange: Exchange,
  message: JSONRPCMessage,
  send: Send,
): Promise<void> {
  if (isJSONRPCRequest(message)) return answerRequest(exchange, message, send);
  if (!('method' in message) || message.method !== 'notifications/cancelled') return;
  const id = message.params?.requestId;
  if (typeof id === 'string' || typeof id === 'number') exchange.cancel(id);
}

async function answerRequest(
  { open, list }: Exchange,
  request: JSONRPCRequest,
  send: Send,
): Promise<void> {
  if (request.method === 'tools/list') {
    const id = JSON.stringify(request.id);
    const begin = `{"jsonrpc":"2.0","id":${id},"result":{"tools":`;
    return send([begin, list().json, '}}'], request);
  }
  const server = open();
  await new Promise<void>((resolve, reject) => {
    const transport: Parameters<typeof server.connect>[0] = {
      start: () => Promise.resolve(),
      close: () => Promise.resolve(),
      send(reply) {
        send([JSON.stringify(reply)], request);
        if (!('method' in reply)) resolve();
        return Promise.resolve();
      },
    };
    server
      .connect(transport)
      .then(() => transport.onmessage?.(withKnownVersion(request)))
      .catch(reject);
  });
}
