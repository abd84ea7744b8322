import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A model's answer: a tool to be called, or its last word. */
export type Turn = { readonly tool: string; readonly args: object } | { readonly text: string };

/** A conversation so far: the tools that a model was offered, and the answers of those called. */
export interface Conversation {
  readonly tools: readonly string[];
  readonly results: readonly string[];
}

/**
 * A model without a mind, at the protocols of OpenAI that agent frameworks speak (chat completions
 * and responses, not streamed): `play` says what it answers.
 */
export async function startModel(play: (conversation: Conversation) => Turn) {
  const server = createServer((request, response) => {
    void json(request).then((asked) => {
      const isChat = request.url!.endsWith('/chat/completions');
      const conversation = isChat ? ofChat(asked as Chat) : ofResponses(asked as Responses);
      const turn = play(conversation);
      // Some frameworks put the name of the server before that of the tool.
      const named = (tool: string) => conversation.tools.find((name) => name.endsWith(tool));
      // Frameworks take two messages of one id for the same message.
      const turns = conversation.results.length;
      const call = 'tool' in turn && {
        id: `call_${turns}`,
        name: named(turn.tool) ?? turn.tool,
        arguments: JSON.stringify(turn.args),
      };
      const said = isChat ? chatOf(call, turn) : responseOf(call, turn);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...said, id: `turn_${turns}`, model: 'scripted' }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Content = string | readonly { readonly text: string }[];
type Call = false | { readonly id: string; readonly name: string; readonly arguments: string };

interface Chat {
  readonly tools: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly { readonly role: string; readonly content: Content }[];
}

interface Responses {
  readonly tools: readonly { readonly name: string }[];
  readonly input: readonly { readonly type?: string; readonly output: Content }[];
}

const textOf = (content: Content) =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('');

const ofChat = ({ tools, messages }: Chat): Conversation => ({
  tools: tools.map((tool) => tool.function.name),
  results: messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content)),
});

const ofResponses = ({ tools, input }: Responses): Conversation => ({
  tools: tools.map(({ name }) => name),
  results: input
    .filter(({ type }) => type === 'function_call_output')
    .map(({ output }) => textOf(output)),
});

const chatOf = (call: Call, turn: Turn) => ({
  object: 'chat.completion',
  created: 0,
  choices: [
    {
      index: 0,
      finish_reason: call ? 'tool_calls' : 'stop',
      message: {
        role: 'assistant',
        content: 'text' in turn ? turn.text : null,
        ...(call && {
          tool_calls: [
            {
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: call.arguments },
            },
          ],
        }),
      },
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

const responseOf = (call: Call, turn: Turn) => ({
  object: 'response',
  created_at: 0,
  status: 'completed',
  output: [
    call
      ? {
          type: 'function_call',
          id: `fc_${call.id}`,
          call_id: call.id,
          name: call.name,
          arguments: call.arguments,
          status: 'completed',
        }
      : {
          type: 'message',
          id: 'msg_last',
          role: 'assistant',
          status: 'completed',
          content: [
            { type: 'output_text', text: (turn as { text: string }).text, annotations: [] },
          ],
        },
  ],
  usage: {
    input_tokens: 1,
    output_tokens: 1,
    total_tokens: 2,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  },
});
