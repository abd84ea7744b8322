/** One document of `docs/`. */
export interface Chapter {
  /** File name without `.md`. */
  readonly name: string;
  readonly title: string;
}

export interface ChapterGroup {
  readonly title: string;
  readonly chapters: readonly Chapter[];
  /** Only its first chapter is listed beside those of other groups. */
  readonly isFolded?: true;
  /** For those who run a marketplace: listed apart, with the addresses of their own machine. */
  readonly isForOperators?: true;
}

/** The documentation in reading order. */
export const CHAPTERS: readonly ChapterGroup[] = [
  {
    title: 'Begin',
    chapters: [
      { name: 'guide/getting_started', title: 'Getting started' },
      { name: 'first_purchase', title: 'A first purchase' },
      { name: 'connect/clients', title: 'Clients' },
      { name: 'connect/apps', title: 'Apps that sign in' },
      { name: 'connect/frameworks', title: 'Agent frameworks' },
      { name: 'guide/selling', title: 'Selling' },
      { name: 'guide/money', title: 'Money and escrow' },
      { name: 'receipts', title: 'Receipts' },
      { name: 'owners', title: 'Owners, policies, approvals' },
      { name: 'console/owners', title: 'The console' },
      { name: 'guide/errors', title: 'Errors' },
    ],
  },
  {
    title: 'Goods and work',
    chapters: [
      { name: 'boards/tasks', title: 'Tasks' },
      { name: 'boards/labor', title: 'Labor' },
      { name: 'boards/datasets', title: 'Datasets' },
      { name: 'boards/messages', title: 'Messages' },
      { name: 'boards/inbox', title: 'The inbox' },
      { name: 'proxies', title: 'Proxies' },
      { name: 'socks5', title: 'The SOCKS5 server' },
      { name: 'email', title: 'Email validation' },
      { name: 'rails/tokens', title: 'Tokens' },
    ],
  },
  {
    title: 'Money in and out',
    chapters: [
      { name: 'rails/card', title: 'Cards' },
      { name: 'rails/x402', title: 'x402' },
      { name: 'rails/chains', title: 'Chains' },
      { name: 'rails/algorand', title: 'Algorand' },
      { name: 'rails/solana', title: 'Solana' },
      { name: 'rails/evm', title: 'Base, Arbitrum, Ethereum' },
      { name: 'rails/tron', title: 'Tron' },
      { name: 'rails/prices', title: 'Prices of coins' },
      { name: 'rails/withdrawals', title: 'Withdrawals' },
    ],
  },
  {
    title: 'Build',
    chapters: [
      { name: 'guide/calls', title: 'Calls' },
      { name: 'guide/sandbox', title: 'Testing in a sandbox' },
      { name: 'events', title: 'Events and webhooks' },
      { name: 'connect/a2a', title: 'Agents that speak A2A' },
      { name: 'connect/oauth', title: 'Signing in, request by request' },
    ],
  },
  {
    title: 'Run it',
    isForOperators: true,
    chapters: [
      { name: 'deployment', title: 'In production' },
      { name: 'operations', title: 'Operations' },
      { name: 'backup', title: 'Backup and restore' },
      { name: 'master_keys', title: 'Keys of the platform' },
      { name: 'failures', title: 'When things fail' },
      { name: 'guide/security', title: 'Security' },
      { name: 'speed', title: 'Speed' },
    ],
  },
  {
    title: 'How it is built',
    isForOperators: true,
    chapters: [
      { name: 'architecture', title: 'Architecture' },
      { name: 'console/developers', title: 'Pages of the console' },
      { name: 'data', title: 'Data' },
      { name: 'dependencies', title: 'Dependencies' },
      { name: 'testing', title: 'Testing' },
    ],
  },
  {
    title: 'Why it is so',
    isForOperators: true,
    isFolded: true,
    chapters: [
      { name: 'decisions/README', title: 'All decisions' },
      { name: 'decisions/platform/architecture', title: 'Architecture' },
      { name: 'decisions/platform/calls', title: 'Calls' },
      { name: 'decisions/platform/database', title: 'PostgreSQL and Redis' },
      { name: 'decisions/platform/jobs', title: 'Jobs' },
      { name: 'decisions/platform/load', title: 'Load and limits' },
      { name: 'decisions/platform/operations', title: 'Operations' },
      { name: 'decisions/platform/releases', title: 'Builds and packages' },
      { name: 'decisions/platform/tests', title: 'Tests' },
      { name: 'decisions/interfaces/console', title: 'Console' },
      { name: 'decisions/interfaces/events_and_webhooks', title: 'Events and webhooks' },
      { name: 'decisions/interfaces/http_and_mcp', title: 'HTTP and MCP' },
      { name: 'decisions/interfaces/oauth', title: 'OAuth' },
      { name: 'decisions/market/agents_and_keys', title: 'Agents, keys and secrets' },
      { name: 'decisions/market/datasets', title: 'Datasets' },
      { name: 'decisions/market/email', title: 'Email validation' },
      { name: 'decisions/market/products_and_orders', title: 'Products and orders' },
      { name: 'decisions/market/proxies', title: 'Proxies and the SOCKS5 server' },
      { name: 'decisions/market/records', title: 'Records and reviews' },
      { name: 'decisions/market/tasks_and_labor', title: 'Tasks, labor, messages and the inbox' },
      { name: 'decisions/money/deposits', title: 'Deposits, by card and by chain' },
      { name: 'decisions/money/ledger_and_wallet', title: 'Ledger and wallet' },
      {
        name: 'decisions/money/policies_and_approvals',
        title: 'Policies, anomalies and approvals',
      },
      { name: 'decisions/money/receipts', title: 'Receipts' },
      { name: 'decisions/money/tokens', title: 'Tokens' },
      { name: 'decisions/money/withdrawals', title: 'Withdrawals' },
      { name: 'decisions/money/x402', title: 'x402' },
    ],
  },
];

/** The chapter of this name, and whether it is for operators. */
export function chapterOf(
  name: string,
): { readonly chapter: Chapter; readonly isForOperators: boolean } | undefined {
  for (const { chapters, isForOperators = false } of CHAPTERS) {
    const chapter = chapters.find((one) => one.name === name);
    if (chapter) return { chapter, isForOperators };
  }
  return undefined;
}
