import { randomUUID } from 'node:crypto';

import { childOf } from '../agents/child.ts';
import { eventually, type House } from '../harness.ts';
import { stock } from '../proxies/stock.ts';

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';

/** Who an actor is to the objects of the scene. */
export type Party = 'buyer' | 'seller' | 'stranger';

/** A seller, a buyer and a stranger, with one object of each kind that is not the stranger's. */
export interface Scene {
  readonly house: House;
  readonly seller: Agent;
  readonly buyer: Agent;
  readonly stranger: Agent;
  /** The stranger's. */
  readonly child: Agent;
  readonly revokedKey: string;
  /** On sale, without end. */
  readonly product: number;
  /** The seller's, not on sale. */
  readonly hidden: number;
  readonly order: number;
  /** On sale. */
  readonly proxy: number;
  /** Bought by the buyer, and not in the pool any more. */
  readonly lostProxy: number;
  readonly job: string;
  /** Started by an operator. */
  readonly operatorJob: string;
  /** A key of the buyer's. */
  readonly keyId: number;
}

interface Agent {
  readonly id: number;
  readonly key: string;
  readonly username: string;
}

export async function setScene(house: House): Promise<Scene> {
  const [seller, buyer, stranger] = await Promise.all([
    house.agent({ usd: 50 }),
    house.agent({ usd: 50 }),
    house.agent({ usd: 50 }),
  ]);
  const content = `CANARY-${randomUUID()}`;
  const unlimited = { stock_kind: 'unlimited', content, price: 0.01 };
  const { id: product } = await house.product(seller, unlimited);
  const { id: hidden } = await house.product(seller, { active: false, title: 'A hidden thing' });
  const bought = await house.request('POST /api/v1/orders', {
    key: buyer.key,
    body: { product_id: product },
  });
  const [{ id: job }] = await house.query('select job_id as id from orders where id = $1', [
    bought.body.order_id,
  ]);
  const [proxy] = await stock(house);
  const refresh = await house.request('POST /api/v1/admin/proxy/refresh', {
    key: OPERATOR_TOKEN,
    headers: { prefer: 'respond-async' },
  });
  return {
    house,
    product,
    proxy: proxy!,
    operatorJob: refresh.body.job_id,
    lostProxy: await lostProxyOf(house, buyer),
    hidden,
    job,
    seller,
    buyer,
    stranger,
    child: await childOf(house, stranger),
    revokedKey: await revokedKeyOf(house, stranger),
    order: bought.body.order_id,
    keyId: await freshKeyOf(house, buyer),
  };
}

/** The id of one more key of this agent's. */
export async function freshKeyOf(house: House, agent: { key: string }): Promise<number> {
  const body = { name: 'one more', scopes: ['read'] };
  const made = await house.request('POST /api/v1/agent/keys', { key: agent.key, body });
  return made.body.key_id;
}

/** A proxy that this agent bought just now and that the pool has forgotten since. */
export async function lostProxyOf(house: House, agent: { key: string }): Promise<number> {
  const [id] = await stock(house);
  await house.request(`GET /api/v1/proxy/${id}`, { key: agent.key });
  await house.query('delete from proxy where id = $1', [id]);
  return id!;
}

async function revokedKeyOf(house: House, agent: { key: string }): Promise<string> {
  const body = { name: 'revoked', scopes: ['read', 'buy', 'sell'] };
  const made = await house.request('POST /api/v1/agent/keys', { key: agent.key, body });
  await house.request(`DELETE /api/v1/agent/keys/${made.body.key_id}`, { key: agent.key });
  const key = made.body.api_key.key;
  await eventually(
    () => house.request('GET /api/v1/agent/me', { key }),
    ({ status }) => status === 401,
  );
  return key;
}
