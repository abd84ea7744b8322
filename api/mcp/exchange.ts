import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  isJSONRPCRequest,
  type CallToolRequest,
  type JSONRPCRequest,
  type ProtocolError,
  type Server,
} from '@modelcontextprotocol/server';

import { withEscapes } from '../../shared/kernel/text.ts';
import type { ToolCaller } from './calls/tool_caller.ts';
import { errorText, type ReadMessage } from './messages/message.ts';
import { idText, withIdAsSent } from './messages/request_ids.ts';
import { withPlainError } from './messages/plain_errors.ts';
import type { ToolList } from './tools.ts';
import { withKnownVersion } from './versions.ts';

/** A JSON message in pieces, so that all callers share one Buffer for a list of tools. */
export type Reply = readonly (string | Buffer)[];

/** A reply as an event of a stream. */
export const eventOf = (event: string, data: Reply): Reply => [
  `event: ${event}\ndata: `,
  ...data,
  '\n\n',
];

/** Answers messages of one caller. */
export interface Exchange {
  /** Opens a server for one request, so that ids need not be unique across requests. */
  readonly open: () => Server;
  /** Calls a tool without such a server: most requests are calls, and opening one costs time. */
  readonly callTool: ToolCaller;
  readonly list: () => ToolList;
  readonly cancel: (id: string | number) => void;
}

/** Sends a reply to a message: its progress, then its answer. */
type Send = (reply: Reply, message: ReadMessage) => void;

/**
 * Answers each request among these messages independently, and resolves when all are answered.
 * Other calls get their turn in between.
 */
export async function answerMessages(
  exchange: Exchange,
  messages: readonly ReadMessage[],
  send: Send,
): Promise<void> {
  let turn: Promise<unknown> = Promise.resolve();
  const sendEscaped: Send = (reply, message) => {
    send(
      reply.map((piece) => (typeof piece === 'string' ? withEscapes(piece) : piece)),
      message,
    );
  };
  const answers = messages.map((message) => {
    const answered = turn.then(() => answerMessage(exchange, message, sendEscaped));
    turn = turn.then(() => nextTurn());
    return answered;
  });
  await Promise.all(answers);
}

/** Ignores notifications, which have no answer, and responses, because we ask nothing. */
async function answerMessage(exchange: Exchange, message: ReadMessage, send: Send): Promise<void> {
  if ('bad' in message) return send([errorText(message)], message);
  if (isJSONRPCRequest(message)) return answerRequest(exchange, message, send);
  if (!('method' in message) || message.method !== 'notifications/cancelled') return;
  const id = message.params?.requestId;
  if (typeof id === 'string' || typeof id === 'number') exchange.cancel(id);
}

async function answerRequest(
  { open, list, callTool }: Exchange,
  request: JSONRPCRequest,
  send: Send,
): Promise<void> {
  if (request.method === 'tools/call') return answerCall(callTool, request, send);
  if (request.method === 'tools/list') {
    const id = idText(request.id);
    const begin = `{"jsonrpc":"2.0","id":${id},"result":{"tools":`;
    return send([begin, list().json, '}}'], request);
  }
  const server = open();
  await new Promise<void>((resolve, reject) => {
    const transport: Parameters<typeof server.connect>[0] = {
      start: () => Promise.resolve(),
      close: () => Promise.resolve(),
      send(reply) {
        send([withIdAsSent(JSON.stringify(withPlainError(reply)), request.id)], request);
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

async function answerCall(
  callTool: ToolCaller,
  request: JSONRPCRequest,
  send: Send,
): Promise<void> {
  const { id } = request;
  const { params } = request as unknown as CallToolRequest;
  const notify = (report: object) => {
    const message = { jsonrpc: '2.0', method: 'notifications/progress', params: report };
    send([JSON.stringify(message)], request);
  };
  const answered = await callTool(params, { id, notify }).then(
    (result) => `"result":${JSON.stringify(result)}`,
    ({ code, message }: ProtocolError) => `"error":${JSON.stringify({ code, message })}`,
  );
  send([`{"jsonrpc":"2.0","id":${idText(id)},${answered}}`], request);
}
