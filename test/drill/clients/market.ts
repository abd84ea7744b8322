import { databaseOf, transact } from '../../../shared/platform/database.ts';
import {
  makeTransfers,
  platform as platformAccount,
  treasury,
} from '../../../shared/ledger/ledger.ts';
import type { Agent } from './client.ts';
import type { Deployment } from '../deployment.ts';

/** Amounts in a drill are whole micro-dollars, as plain numbers: it never reaches 2^53 of them. */
export const microsOf = (usd: number): number => Math.round(usd * 1e6);

const WELCOME_MICROS = 500_000;
const SELLERS = 3;
/** One buyer in so many has no more than its welcome credit, and is refused now and then. */
const POOR_ONE_IN = 4;
const FUNDS_MICROS = 2_000_000_000;

export interface Seller extends Agent {
  /** What orders released to it. */
  earned: number;
}

export interface Good {
  readonly id: number;
  readonly price: number;
  readonly seller: Seller;
  readonly isSerial: boolean;
}

/** The agents and products before the first fault. */
export interface Market {
  readonly sellers: readonly Seller[];
  readonly buyers: readonly (Agent & { funds: number })[];
  readonly goods: readonly Good[];
}

export async function openMarket(
  deployment: Deployment,
  { buyers, serials }: { buyers: number; serials: number },
): Promise<Market> {
  const url = deployment.urls[0]!;
  const agents: Agent[] = [];
  for (let n = 0; n < SELLERS + buyers; n += 1) agents.push(await register(url, n));
  const sellers = agents.slice(0, SELLERS).map((agent) => ({ ...agent, earned: 0 }));
  const rich = (n: number) => n % POOR_ONE_IN !== POOR_ONE_IN - 1;
  const funded = agents
    .slice(SELLERS)
    .map((agent, n) => ({ ...agent, funds: WELCOME_MICROS + (rich(n) ? FUNDS_MICROS : 0) }));
  await deposit(
    deployment,
    funded.filter((_, n) => rich(n)),
  );

  const [one, two, three] = sellers as [Seller, Seller, Seller];
  const content = 'What every buyer gets.';
  const goods = [
    await list(url, one, { stock_kind: 'unlimited', content, price: 0.01 }),
    await list(url, two, { stock_kind: 'unlimited', content, price: 0.000007 }),
    await list(url, two, { stock_kind: 'counted', content, quantity: 1_000_000, price: 0.02 }),
    await list(url, three, { stock_kind: 'counted', content, quantity: 20, price: 0.03 }),
    await list(url, three, { stock_kind: 'serial_pool', items: units(15), price: 0.04 }),
  ];
  for (let left = serials; left > 0; left -= 1000) {
    const items = units(Math.min(left, 1000));
    goods.push(await list(url, one, { stock_kind: 'serial_pool', items, price: 0.013 }));
  }
  return { sellers, buyers: funded, goods };
}

/** As a payment rail would make it. */
async function deposit({ databaseUrl }: Deployment, agents: readonly Agent[]): Promise<void> {
  const database = await databaseOf(databaseUrl, 1).initialize();
  const deposits = agents.map(({ id }) => ({
    kind: 'deposit' as const,
    ref: id,
    credit: 0n,
    cash: BigInt(FUNDS_MICROS),
    from: platformAccount('asset'),
    to: treasury(id),
  }));
  await transact(database, (db) => makeTransfers(db, deposits));
  await database.destroy();
}

async function register(url: string, n: number): Promise<Agent> {
  const name = `agent-${n}`;
  const { agent_id, api_key } = await post(`${url}/api/v1/agent/register`, '', {
    username: name,
    email: `${name}@example.com`,
    password: 'correct horse battery',
  });
  return { id: agent_id, token: api_key.key };
}

interface Fields {
  readonly price: number;
  readonly stock_kind: 'serial_pool' | 'counted' | 'unlimited';
  readonly content?: string;
  readonly quantity?: number;
  readonly items?: string[];
}

async function list(url: string, seller: Seller, fields: Fields): Promise<Good> {
  const { product_id: id } = await post(`${url}/api/v1/products`, seller.token, {
    title: 'A good',
    description: 'It is sold during a drill.',
    category: 'serial_key',
    ...fields,
  });
  const isSerial = fields.stock_kind === 'serial_pool';
  return { id, price: microsOf(fields.price), seller, isSerial };
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

let unit = 0;
const units = (n: number) => Array.from({ length: n }, () => `unit-${(unit += 1)}`);
