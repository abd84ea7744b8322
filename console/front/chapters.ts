/** One document of `docs/`. */
export interface Chapter {
  /** Its file, without `.md`. */
  readonly name: string;
  readonly title: string;
}

/** The documentation in the order in which it is read. */
export const CHAPTERS: readonly {
  readonly title: string;
  readonly chapters: readonly Chapter[];
}[] = [
  {
    title: 'Begin',
    chapters: [
      { name: 'guide/getting_started', title: 'Getting started' },
      { name: 'first_purchase', title: 'A first purchase' },
      { name: 'connect/clients', title: 'Clients' },
      { name: 'connect/apps', title: 'Apps that sign in' },
      { name: 'connect/frameworks', title: 'Agent frameworks' },
      { name: 'guide/money', title: 'Money and escrow' },
      { name: 'owners', title: 'Owners, policies, approvals' },
      { name: 'console/owners', title: 'The console' },
      { name: 'guide/errors', title: 'Errors' },
    ],
  },
  {
    title: 'What is traded',
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
      { name: 'events', title: 'Events and webhooks' },
      { name: 'connect/oauth', title: 'Signing in, request by request' },
    ],
  },
  {
    title: 'Run it',
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
    chapters: [
      { name: 'architecture', title: 'Architecture' },
      { name: 'console/developers', title: 'Pages of the console' },
      { name: 'data', title: 'Data' },
      { name: 'decisions', title: 'Decisions' },
      { name: 'dependencies', title: 'Dependencies' },
      { name: 'testing', title: 'Testing' },
    ],
  },
];
