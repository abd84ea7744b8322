import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CodingAgent } from './coding_agent.ts';
import type { Protocol } from './streaming_model.ts';

interface Asked {
  readonly tools?: readonly Tool[];
  readonly input: readonly { readonly type?: string; readonly output?: unknown }[];
}

interface Tool {
  readonly name?: string;
  /** The tools of a server, if this is a namespace. */
  readonly tools?: readonly { readonly name: string }[];
}

const usage = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};

/** OpenAI's Responses. A tool of a server is named `namespace/tool` here. */
const responses: Protocol = {
  path: '/v1/responses',
  read: ({ tools = [], input }: Asked) => ({
    tools: tools.flatMap(({ name = '', tools: inner }) =>
      inner ? inner.map((tool) => `${name}/${tool.name}`) : [name],
    ),
    results: input
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => JSON.stringify(output)),
  }),
  answer(turn, n) {
    const [name, namespace] = turn.name.split('/').toReversed();
    const item =
      'tool' in turn
        ? {
            type: 'function_call',
            id: `fc_${n}`,
            call_id: `call_${n}`,
            name,
            namespace,
            arguments: JSON.stringify(turn.args),
          }
        : {
            type: 'message',
            id: `msg_${n}`,
            role: 'assistant',
            content: [{ type: 'output_text', text: turn.text, annotations: [] }],
          };
    const response = { id: `resp_${n}`, object: 'response', created_at: 0, model: 'scripted' };
    const output = [{ ...item, status: 'completed' }];
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.done', output_index: 0, item: output[0] },
      { type: 'response.completed', response: { ...response, status: 'completed', output, usage } },
    ];
  },
};

const configFor = (model: string) => `
model = "scripted"
model_provider = "local"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false
# Not the keychain of who runs the tests.
mcp_oauth_credentials_store = "file"

[analytics]
enabled = false

[features]
apps = false
plugins = false

[model_providers.local]
name = "local"
base_url = "${model}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
`;

/** Its user lets it call the tools of this server without being asked. */
const APPROVED = 'mcp_servers.market.default_tools_approval_mode="approve"';

export const codex: CodingAgent = {
  name: 'Codex',
  app: 'Codex',
  protocol: responses,
  settings: () => ({ OPENAI_API_KEY: 'sk-test' }),
  open({ packages, model }, { home, start }) {
    const program = join(packages, '@openai/codex/bin/codex.js');
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex/config.toml'), configFor(model));
    const run = (...args: string[]) => start(process.execPath, program, ...args);
    return {
      // It signs in at once where it is asked to.
      signIn: async (market) => run('mcp', 'add', 'market', '--url', market),
      list: () => run('mcp', 'list'),
      ask(prompt) {
        const asked = run('exec', '--skip-git-repo-check', '-c', APPROVED, prompt);
        // It waits for what else stands in its input.
        asked.end();
        return asked;
      },
    };
  },
  connected: 'OAuth',
  refused: 'Authentication required',
};
