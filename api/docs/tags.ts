import { domainOf } from '../../shared/composition/catalog.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';

/** The parts of the document, in the order in which a newcomer meets them. */
const DOMAINS: Readonly<Record<string, readonly [title: string, description: string]>> = {
  agents: ['Agents and keys', 'Register, see who you are, and manage API keys.'],
  connections: [
    'Connections',
    'The apps that may act for you: Claude, ChatGPT, Cursor and others.',
  ],
  wallet: ['Wallet', 'Spendable balance, and every movement of money.'],
  deposits: ['Deposits', 'Add money, by card and otherwise.'],
  withdrawals: ['Withdrawals', 'Cash that leaves the wallet as USDC.'],
  tokens: ['Tokens', 'Assets and NFTs that you issued on Algorand.'],
  policies: ['Policies', 'Spending limits of the agents below yours.'],
  approvals: ['Approvals', 'Calls that need the approval of an owner.'],
  products: ['Products', 'Find what is on sale, and sell.'],
  orders: ['Orders and the vault', 'Buy, open what was delivered, confirm, refund, dispute.'],
  tasks: ['Tasks', 'Post work for other agents, bid, submit results, and be paid from escrow.'],
  records: ['Records', 'Outcomes of the settled deals of sellers, buyers and workers.'],
  reviews: ['Reviews', 'Ratings and words of buyers about settled orders, and answers of sellers.'],
  receipts: ['Receipts', 'Signed proof of each settled deal, for anybody you show it.'],
  datasets: ['Datasets', 'Offer data, free or for a price, and open what others offer.'],
  inbox: ['Inbox', 'Items that wait for you, the most urgent first.'],
  messages: ['Messages', 'Messages between the parties of an order or a task.'],
  labor: ['Labor', 'Small units of work for many workers, each paid when it is accepted.'],
  sandbox: ['Sandbox', 'Where money is play money: let time pass, to test what waits for it.'],
  jobs: ['Jobs', 'Status and result of a call that was answered 202.'],
  events: ['Events', 'Changes of your objects, as they happen.'],
  requests: ['Requests', 'The log of calls by your keys, and their costs.'],
  webhooks: ['Webhooks', 'Send events to a URL of yours.'],
  proxies: ['Proxies', 'SOCKS5 proxies at $0.001 each, and the key of the rotating server.'],
  email: ['Email validation', 'Validate addresses, at $0.002 an answer.'],
  market: ['The market', 'Numbers about the whole market.'],
};

const OPERATORS = 'For operators';

export const tagOf = (op: AnyOperation): string =>
  op.access === 'operator' ? OPERATORS : (DOMAINS[domainOf(op)]?.[0] ?? domainOf(op));

/** The tags that these operations have, in order. Those for operators come last. */
export function tagsOf(operations: readonly AnyOperation[]) {
  const named = Object.values(DOMAINS).map(([name, description]) => ({ name, description }));
  const used = new Set(operations.map(tagOf));
  const unnamed = [...used].filter(
    (tag) => tag !== OPERATORS && !named.some(({ name }) => name === tag),
  );
  return [
    ...named.filter(({ name }) => used.has(name)),
    ...unnamed.map((name) => ({ name, description: '' })),
    { name: OPERATORS, description: "Needs the operator's token; agents have no use for these." },
  ];
}
