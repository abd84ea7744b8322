import { setTimeout as sleep } from 'node:timers/promises';

import { openClient, UnansweredError } from '../calls/client.ts';
import type { History } from '../calls/history.ts';
import type { Comparison } from '../comparison.ts';
import { deckOf, randomOf } from '../random.ts';
import { approvals } from './approvals.ts';
import { apps } from './apps.ts';
import { children } from './children.ts';
import { connections } from './connections.ts';
import type { Domain } from './domain.ts';
import { email } from './email/email.ts';
import { events } from './events.ts';
import { inbox, inboxOfSellers } from './boards/inbox.ts';
import { keys } from './keys.ts';
import { microsOf, type Participant } from './goods.ts';
import type { Market } from './market.ts';
import { anomalies } from './oversight/anomalies.ts';
import { audits } from './oversight/audits.ts';
import { operators } from './oversight/operators.ts';
import { reseals } from './oversight/reseals.ts';
import { salesReports, spendReports } from './oversight/reports.ts';
import { reviews } from './oversight/reviews.ts';
import { orders } from './orders/orders.ts';
import { products } from './products.ts';
import { proxies } from './proxies.ts';
import { cards } from './rails/cards.ts';
import { deposits } from './rails/deposits.ts';
import { payers } from './rails/payers.ts';
import { tokens } from './rails/tokens.ts';
import { withdrawals } from './rails/withdrawals.ts';
import { datasets } from './boards/datasets.ts';
import { labor } from './boards/labor.ts';
import { tasks } from './boards/tasks.ts';
import { adversary } from './outsiders/adversary.ts';
import { openTrader } from './trader.ts';
import { webhooks } from './webhooks.ts';

export const DOMAINS: readonly Domain[] = [
  orders,
  cards,
  withdrawals,
  payers,
  deposits,
  tokens,
  tasks,
  labor,
  datasets,
  proxies,
  connections,
  email,
  children,
  approvals,
  apps,
  anomalies,
  operators,
  products,
  reviews,
  spendReports,
  salesReports,
  reseals,
  audits,
  keys,
  events,
  inbox,
  inboxOfSellers,
  webhooks,
  adversary,
];

const THINK_MS = 120;
const WALLET_WEIGHT = 2;
const SETTLE_WEIGHT = 3;

interface WorkloadOptions {
  readonly seed: number;
  readonly history: History;
  readonly domains: readonly Domain[];
}

/** All the clients of a drill and their calls. */
export interface Workload {
  /**
   * Waits until every client has its last answer, and abandons calls without one after this time.
   */
  close(timeoutMs: number): Promise<void>;
  /** Settles what can be settled by repeats; when `isQuiet`, everything, and looks at wallets. */
  settle(isQuiet: boolean): Promise<void>;
  compare(comparison: Comparison): Promise<void>;
}

export function startWorkload(
  market: Market,
  { seed, history, domains }: WorkloadOptions,
): Workload {
  const [closing, deadline] = [new AbortController(), new AbortController()];
  const clients = [
    ...market.buyers.map((agent) => openParticipant(agent, 'buyers')),
    ...market.sellers.map((agent) => openParticipant(agent, 'sellers')),
  ];

  function openParticipant(participant: Participant, by: Domain['by']) {
    const { wallet, ...agent } = participant;
    const random = randomOf(seed * 1_000 + agent.id);
    const { urls } = market.deployment;
    const client = openClient(agent, urls, { history, random, deadline: deadline.signal });
    const trader = openTrader({ agent, wallet }, { client, random, history });
    const trades = domains
      .filter((domain) => domain.by === by)
      .map((domain) => domain.open(trader, market));

    async function readWallet(): Promise<void> {
      const call = { agent, operation: 'get_wallet', input: {}, repeatable: true };
      const answer = await client(call);
      if (trader.hasDoubts()) return;
      const parts = trades.map((trade) => (trade.held ? trade.held() : 0));
      const isKnown = parts.every((part) => part !== undefined);
      const held = parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
      const found = [answer?.body.balance, answer?.body.in_escrow].map(microsOf);
      if (found[0] !== wallet.micros || (isKnown && found[1] !== held)) {
        const must = `${wallet.micros} and ${held}`;
        trader.wrong(`the wallet shows ${found.join(' and ')}, and must hold ${must}`);
      }
    }

    const own = [
      { weight: SETTLE_WEIGHT, run: () => trader.settleOne() },
      // A seller's earnings change its wallet at any time.
      { weight: by === 'buyers' ? WALLET_WEIGHT : 0, run: readWallet },
    ];
    const steps = [...own, ...trades.flatMap((trade) => trade.steps)];
    const next = deckOf(random, new Map(steps.map((step) => [step, step.weight])));
    return { trader, client, trades, next, readWallet };
  }
  type Client = (typeof clients)[number];

  async function work({ trader, next }: Client): Promise<void> {
    while (!closing.signal.aborted && (await isAnswered(trader, () => next().run()))) {
      await sleep(THINK_MS);
    }
  }

  /** False: it got no answer, or something else went wrong, which is noted. */
  async function isAnswered({ agent }: Client['trader'], calls: () => Promise<void>) {
    try {
      await calls();
      return true;
    } catch (error) {
      const what = error instanceof UnansweredError ? `${error.message} was never answered` : error;
      history.violations.push(`agent ${agent.id}: ${String(what)}`);
      return false;
    }
  }
  const finished = Promise.all(clients.map(work));

  return {
    async close(timeoutMs) {
      closing.abort();
      setTimeout(() => deadline.abort(), timeoutMs).unref();
      await finished;
    },
    async settle(isQuiet) {
      const settle = ({ trader }: Client) => isAnswered(trader, () => trader.settleAll(isQuiet));
      await Promise.all(clients.map(settle));
      if (!isQuiet) return;
      const read = ({ trader, readWallet }: Client) => isAnswered(trader, readWallet);
      await Promise.all(clients.map(read));
      for (const { client } of clients) client.close();
    },
    async compare(comparison) {
      for (const { trader, trades } of clients) {
        for (const trade of trades) await trade.compare(comparison);
        const { id } = trader.agent;
        const [{ holds }] = await comparison.database.query(
          'select credit + cash as holds from ledger.treasury where id = $1',
          [id],
        );
        comparison.same('wallets', `the wallet of agent ${id}`, {
          found: Number(holds),
          told: trader.wallet.micros,
        });
      }
    },
  };
}
