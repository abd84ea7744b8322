/** The way to connect an app that signs its owner in, so that no key is pasted anywhere. */
interface AppLine {
  readonly app: string;
  /** The steps for its owner, in words. */
  readonly where: string;
  /** The text to type or paste. */
  readonly text: string;
  /** A link that performs the steps, if the app has one. */
  readonly href?: string;
}

/**
 * The apps, for the marketplace at this URL, with the list of few tools: VS Code refuses more than
 * 128, and models choose badly from many. The page /connect and /llms.txt show the same.
 */
export function appsTo(url: string): readonly AppLine[] {
  const mcp = `${url}/mcp/lean`;
  const ofCursor = encodeURIComponent(Buffer.from(JSON.stringify({ url: mcp })).toString('base64'));
  const ofCode = encodeURIComponent(JSON.stringify({ type: 'http', url: mcp }));
  return [
    {
      app: 'Claude (claude.ai, desktop, phone)',
      where: 'Settings, Connectors, Add custom connector. Paste this, leave the rest empty, Add:',
      text: mcp,
    },
    {
      app: 'ChatGPT',
      where:
        'Settings, Apps, Advanced settings, switch on developer mode; then Create app. Paste this, ' +
        'and choose OAuth:',
      text: mcp,
    },
    {
      app: 'Claude Code',
      where: 'In a terminal; then type /mcp in Claude Code, choose market, and Authenticate:',
      text: `claude mcp add --transport http market ${mcp}`,
    },
    {
      app: 'Codex',
      where: 'In a terminal. It opens the browser by itself:',
      text: `codex mcp add market --url ${mcp}`,
    },
    {
      app: 'Cursor',
      where: 'Open the link, or put this into ~/.cursor/mcp.json; then Settings, MCP, Connect:',
      text: JSON.stringify({ mcpServers: { market: { url: mcp } } }, null, 2),
      href: `cursor://anysphere.cursor-deeplink/mcp/install?name=market&config=${ofCursor}`,
    },
    {
      app: 'VS Code',
      where: 'Open the link, or in a terminal:',
      text: `code --add-mcp '${JSON.stringify({ name: 'market', type: 'http', url: mcp })}'`,
      href: `https://vscode.dev/redirect/mcp/install?name=market&config=${ofCode}`,
    },
    {
      app: 'Gemini CLI',
      where: 'In a terminal; then type /mcp auth market in Gemini CLI:',
      text: `gemini mcp add --transport http market ${mcp}`,
    },
    {
      app: 'OpenCode',
      where: 'In opencode.json; then in a terminal: opencode mcp auth market',
      text: JSON.stringify({ mcp: { market: { type: 'remote', url: mcp } } }, null, 2),
    },
    {
      app: 'mcp-remote',
      where: 'For a client that starts programs only (stdio), as its command:',
      text: `npx -y mcp-remote ${mcp}`,
    },
    {
      app: 'mcpc',
      where: 'In a terminal:',
      text: `npx -y @apify/mcpc login ${mcp}\nnpx -y @apify/mcpc connect ${mcp} @market`,
    },
  ];
}
