import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CodingAgent } from './coding_agent.ts';
import type { Protocol } from './streaming_model.ts';

interface Asked {
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** OpenAI's chat completions. */
const chat: Protocol = {
  path: '/v1/chat/completions',
  read: ({ tools = [], messages }: Asked) => ({
    tools: tools.map((tool) => tool.function.name),
    results: messages
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => JSON.stringify(content)),
  }),
  answer(turn, n) {
    const reason = 'tool' in turn ? 'tool_calls' : 'stop';
    const call = 'tool' in turn && { name: turn.name, arguments: JSON.stringify(turn.args) };
    const delta = call
      ? { tool_calls: [{ index: 0, id: `call_${n}`, type: 'function', function: call }] }
      : { content: (turn as { text: string }).text };
    const chunk = { id: `chunk_${n}`, object: 'chat.completion.chunk', created: 0 };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choice = { index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null };
    const end = { index: 0, delta: {}, finish_reason: reason };
    return [
      { ...chunk, model: 'scripted', choices: [choice] },
      { ...chunk, model: 'scripted', choices: [end], usage },
    ];
  },
};

const configFor = (model: string, market: string) => ({
  autoupdate: false,
  share: 'disabled',
  mcp: { market: { type: 'remote', url: market } },
  provider: {
    local: {
      npm: '@ai-sdk/openai-compatible',
      name: 'local',
      options: { baseURL: `${model}/v1`, apiKey: 'sk-test' },
      models: { scripted: { name: 'scripted' } },
    },
  },
  model: 'local/scripted',
  small_model: 'local/scripted',
});

export const openCode: CodingAgent = {
  name: 'OpenCode',
  app: 'OpenCode',
  protocol: chat,
  settings: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_SHARE: '1',
  }),
  open({ packages, model }, { work, start }) {
    const program = join(packages, 'opencode-linux-x64/bin/opencode');
    const run = (...args: string[]) => {
      const started = start(program, ...args);
      // It waits for what else stands in its input.
      started.end();
      return started;
    };
    return {
      async signIn(market) {
        writeFileSync(join(work, 'opencode.json'), JSON.stringify(configFor(model, market)));
        return run('mcp', 'auth', 'market');
      },
      list: () => run('mcp', 'list'),
      ask: (prompt) => run('run', prompt),
    };
  },
  connected: 'connected',
  ended: 'needs authentication',
  // It installs a package for plugins.
  wants: /^registry\./,
  refused: 'Unauthorized',
};
