import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A model's answer: this tool is to be called, or its last word. */
type Turn = { readonly tool: string; readonly args: object } | { readonly text: string };

/** A conversation so far: the tools that a model was offered, and the answers of those called. */
export interface Conversation {
  readonly tools: readonly string[];
  readonly results: readonly string[];
}

/** How a vendor's protocol asks a model, and streams its answer. */
export interface Protocol {
  readonly path: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each protocol has a type of its own
  read(asked: any): Conversation;
  /** The events of the answer. `turn` counts from 0; `name` is what the client calls the tool. */
  answer(turn: Turn & { readonly name: string }, n: number): readonly Event[];
}

interface Event {
  readonly type?: string;
  readonly [field: string]: unknown;
}

/** A model that has no mind: `play` says what it answers. It streams, as coding agents want it. */
export async function startStreamingModel(
  protocol: Protocol,
  play: (conversation: Conversation) => Promise<Turn>,
) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    if (pathname !== protocol.path) return void response.writeHead(404).end();
    void answer(response, json(request)).catch((error) => response.destroy(error as Error));
  });

  async function answer(response: ServerResponse, asked: Promise<unknown>): Promise<void> {
    const conversation = protocol.read(await asked);
    // Without tools it is asked for a title, beside the work.
    const turn = conversation.tools.length > 0 ? await play(conversation) : { text: 'Purchases' };
    // Clients put the name of the server before that of the tool.
    const name = 'tool' in turn ? conversation.tools.find((one) => one.endsWith(turn.tool)) : '';
    if (name === undefined) throw new Error('The model was not offered the tool.');
    response.setHeader('content-type', 'text/event-stream');
    for (const event of protocol.answer({ ...turn, name }, conversation.results.length)) {
      const title = event.type ? `event: ${event.type}\n` : '';
      response.write(`${title}data: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
