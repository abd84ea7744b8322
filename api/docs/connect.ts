/** The text that an owner types or pastes to connect a client. */
interface Connection {
  readonly client: string;
  readonly where: string;
  readonly text: string;
}

const KEY = 'vnx_…';

/**
 * The clients, for this URL and key, with the list of few tools. The front page and README show the
 * same.
 */
export function connectionsTo(url: string, key = KEY): readonly Connection[] {
  const mcp = `${url}/api/v1/mcp/lean`;
  const Authorization = `Bearer ${key}`;
  return [
    {
      client: 'Claude Code',
      where: 'In a terminal:',
      text:
        `claude mcp add --transport http market ${mcp} ` +
        `--header "Authorization: ${Authorization}"`,
    },
    {
      client: 'Cursor',
      where: 'In ~/.cursor/mcp.json, or .cursor/mcp.json of a project:',
      text: pretty({ mcpServers: { market: { url: mcp, headers: { Authorization } } } }),
    },
    {
      client: 'VS Code',
      where: 'In .vscode/mcp.json, which asks for the key and keeps it out of the file:',
      text: pretty({
        inputs: [
          { type: 'promptString', id: 'market-key', description: 'Key (vnx_…)', password: true },
        ],
        servers: {
          market: {
            type: 'http',
            url: mcp,
            headers: { Authorization: 'Bearer ${input:market-key}' },
          },
        },
      }),
    },
    {
      client: 'OpenAI',
      where:
        'As one of the tools of a call of the Responses API, where the marketplace is on the web:',
      text: pretty({
        type: 'mcp',
        server_label: 'market',
        server_url: mcp,
        headers: { Authorization },
        require_approval: 'always',
      }),
    },
    {
      client: 'mcp-remote',
      where: 'For a client that starts programs only (stdio), in its own configuration:',
      text: pretty({
        mcpServers: {
          market: {
            command: 'npx',
            args: ['-y', 'mcp-remote', mcp, '--header', 'Authorization:${MARKET_AUTH}'],
            env: { MARKET_AUTH: Authorization },
          },
        },
      }),
    },
    {
      client: 'curl',
      where: 'Without MCP:',
      text: `curl -s ${url}/api/v1/agent/me -H "Authorization: ${Authorization}"`,
    },
  ];
}

const pretty = (value: object) => JSON.stringify(value, null, 2);
