/** Runs in a marketplace of its own: the ids that it shows are those of the first agents. */
export const FIRST_PAGE = 'docs/guide/getting_started.md';

/** Runs in a marketplace of its own, where payouts wait for nothing. */
export const SELLING_PAGE = 'docs/guide/selling.md';

/** Runs in a marketplace whose time can be moved. */
export const SANDBOX_PAGE = 'docs/guide/sandbox.md';

/** Pages whose commands are run, one after the other, and whose answers are compared. */
export const FOLLOWED = [
  'first_purchase',
  'boards/messages',
  'boards/inbox',
  'boards/datasets',
  'rails/card',
  'rails/x402',
  'proxies',
  'email',
  'owners',
  'events',
  // Registers an agent, whose key is used from then on.
  'boards/labor',
  'boards/tasks',
  'guide/money',
  'guide/calls',
  'connect/apps',
].map((name) => `docs/${name}.md`);

/** Documents of which a test runs the calls that they show. */
export const SHOWN_CALLS: readonly string[] = [FIRST_PAGE, SELLING_PAGE, SANDBOX_PAGE, ...FOLLOWED];
