import { join } from 'node:path';

import type { CodingAgent } from './coding_agent.ts';
import type { Protocol } from './streaming_model.ts';

interface Asked {
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly content: string | readonly Block[] }[];
}

interface Block {
  readonly type: string;
  readonly content?: unknown;
}

const usage = { input_tokens: 1, output_tokens: 1 };

/** Anthropic's Messages. */
const messages: Protocol = {
  path: '/v1/messages',
  read: ({ tools = [], messages: said }: Asked) => ({
    tools: tools.map(({ name }) => name),
    results: said
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => JSON.stringify(content)),
  }),
  answer(turn, n) {
    const reason = 'tool' in turn ? 'tool_use' : 'end_turn';
    const [block, delta] =
      'tool' in turn
        ? [
            { type: 'tool_use', id: `toolu_${n}`, name: turn.name, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(turn.args) },
          ]
        : [
            { type: 'text', text: '' },
            { type: 'text_delta', text: turn.text },
          ];
    const message = { id: `msg_${n}`, type: 'message', role: 'assistant', model: 'scripted' };
    return [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
  },
};

export const claudeCode: CodingAgent = {
  name: 'Claude Code',
  app: 'Claude Code (market)',
  protocol: messages,
  settings: ({ model }) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'sk-ant-test',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    // It asks its model when it has connected, and offers all tools at once.
    MCP_CONNECTION_NONBLOCKING: '0',
    ENABLE_TOOL_SEARCH: 'false',
  }),
  open({ packages }, { start }) {
    const claude = join(packages, '@anthropic-ai/claude-code-linux-x64/claude');
    return {
      async signIn(market) {
        await start(claude, 'mcp', 'add', '--transport', 'http', 'market', market).ended;
        // It signs in at a terminal only.
        return start('script', '-qec', `'${claude}' mcp login market`, '/dev/null');
      },
      list: () => start(claude, 'mcp', 'list'),
      ask: (prompt) => start(claude, '-p', prompt, '--allowedTools', 'mcp__market'),
    };
  },
  connected: '✔ Connected',
  ended: 'Needs authentication',
  refused: 'needs you to sign in again',
};
