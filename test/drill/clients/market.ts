import { deposit } from '../../deposits/cash.ts';
import { databaseOf, transact } from '../../../shared/platform/database.ts';
import type { Deployment } from '../deployment.ts';
import type { DueTimes } from '../due_times.ts';
import type { Random } from '../random.ts';
import { actionDecks, type OrderAction } from './orders/decks.ts';
import { goodOf, newUnits, productOf, type Good, type Listing, type Participant } from './goods.ts';

const WELCOME_MICROS = 500_000;
const SELLERS = 3;
/** One buyer in so many has no more than its welcome credit, and is refused now and then. */
const POOR_ONE_IN = 4;
const FUNDS_MICROS = 2_000_000_000;
/** The tiers of a new marketplace. */
const TIERS = { basic: 50_000_000n, pro: 1_000_000_000n };

/** Who trades what. */
export interface Market {
  readonly deployment: Deployment;
  readonly sellers: readonly Participant[];
  readonly buyers: readonly Participant[];
  /** Sellers list more. */
  readonly goods: Good[];
  /** Absent: no timer runs, and nothing falls due. */
  readonly dueTimes: DueTimes | undefined;
  /** The next action on an order in escrow or in dispute, whichever buyer does it. */
  readonly nextAction: Readonly<Record<'escrow' | 'disputed', () => OrderAction>>;
  /** The order whose vault contained each unit of a serial pool. */
  readonly units: Map<string, number>;
  /** Payments by x402 that were settled, as they were sent: whoever reads the chain knows them. */
  readonly payments: string[];
}

interface MarketOptions {
  readonly buyers: number;
  /** Units for sale in the larger serial pools. */
  readonly serials: number;
  readonly dueTimes: DueTimes | undefined;
  readonly random: Random;
}

export async function openMarket(
  deployment: Deployment,
  { buyers, serials, dueTimes, random }: MarketOptions,
): Promise<Market> {
  const url = deployment.urls[0]!;
  const agents: Participant[] = [];
  for (let n = 0; n < SELLERS + buyers; n += 1) agents.push(await register(url, n));
  const sellers = agents.slice(0, SELLERS);
  const others = agents.slice(SELLERS);
  await fund(
    deployment,
    others.filter((_, n) => n % POOR_ONE_IN !== POOR_ONE_IN - 1),
  );

  const [one, two, three] = sellers as [Participant, Participant, Participant];
  const content = 'What every buyer gets: ключ, 鍵, "\\".';
  const goods = [
    await list(url, one, { stock_kind: 'unlimited', content, price: 0.01 }),
    await list(url, two, { stock_kind: 'unlimited', content, price: 0.000007 }),
    await list(url, two, { stock_kind: 'counted', content, quantity: 1_000_000, price: 0.02 }),
    await list(url, three, { stock_kind: 'counted', content, quantity: 20, price: 0.03 }),
    await list(url, three, { stock_kind: 'serial_pool', items: newUnits(15), price: 0.04 }),
  ];
  for (let left = serials; left > 0; left -= 1000) {
    const items = newUnits(Math.min(left, 1000));
    goods.push(await list(url, one, { stock_kind: 'serial_pool', items, price: 0.013 }));
  }
  const nextAction = actionDecks(random, dueTimes !== undefined);
  return {
    deployment,
    sellers,
    buyers: others,
    goods,
    dueTimes,
    nextAction,
    units: new Map(),
    payments: [],
  };
}

/** Pays in like a payment rail. */
async function fund({ databaseUrl }: Deployment, agents: readonly Participant[]): Promise<void> {
  const database = await databaseOf(databaseUrl, 1).initialize();
  const ids = agents.map(({ id }) => id);
  const config = { api: { tiers: TIERS } };
  await transact(database, (db) => deposit({ db, config }, ids, BigInt(FUNDS_MICROS)));
  await database.destroy();
  for (const { wallet } of agents) wallet.micros += FUNDS_MICROS;
}

async function register(url: string, n: number): Promise<Participant> {
  const name = `agent-${n}`;
  const { agent_id, api_key } = await post(`${url}/api/v1/agent/register`, '', {
    username: name,
    email: `${name}@example.com`,
    password: 'correct horse battery',
  });
  return { id: agent_id, token: api_key.key, wallet: { micros: WELCOME_MICROS, proxies: 0 } };
}

async function list(url: string, seller: Participant, listing: Listing): Promise<Good> {
  const { product_id: id } = await post(
    `${url}/api/v1/products`,
    seller.token,
    productOf('A good', listing),
  );
  return goodOf(id, seller, listing);
}

async function post(url: string, token: string, body: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${await response.text()}`);
  // oxlint-disable-next-line typescript/no-explicit-any -- the set-up reads any answer
  return (await response.json()) as any;
}
