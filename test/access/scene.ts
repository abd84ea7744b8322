import { randomUUID } from 'node:crypto';

import { ADDRESS } from '../tokens/address.ts';
import { childOf } from '../agents/child.ts';
import { allowedBy } from '../connections/allowed.ts';
import { offer } from '../datasets/offer.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { buy } from '../orders/trade.ts';
import { postLabor, take } from '../labor/pool.ts';
import { stock } from '../proxies/stock.ts';
import { hire, openTask, submit } from '../tasks/board.ts';

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';

/** How a busy machine answers what is called here when it is done, and not that it is pending. */
export const LONG_WAIT = { WAIT_MS: '20000' } as const;

/** The relation of an actor to the objects of the scene. */
export type Party = 'buyer' | 'seller' | 'outsider';

/** A seller, a buyer and an outsider, with one object of each kind that is not the outsider's. */
export interface Scene {
  readonly platform: TestPlatform;
  readonly seller: Agent;
  readonly buyer: Agent;
  readonly outsider: Agent;
  /** The outsider's. */
  readonly child: Agent;
  readonly revokedKey: string;
  /** On sale, with unlimited stock. */
  readonly product: number;
  /** The seller's, not on sale. */
  readonly hidden: number;
  readonly order: number;
  /** Open, of the buyer's, with a result of the seller's. */
  readonly task: number;
  /** A task of the buyer's, for which the seller is hired: nobody else may bid. */
  readonly hiredTask: number;
  /** A dataset of the seller's, on sale, and bought by the buyer. */
  readonly dataset: number;
  /** Open, of the seller's; of one unit the buyer has a claim. */
  readonly laborTask: number;
  readonly laborClaim: number;
  /** Requested, of the buyer's. */
  readonly withdrawal: number;
  /** A token of the seller's that its network does not have yet. */
  readonly asset: number;
  readonly nft: number;
  /** On sale. */
  readonly proxy: number;
  /** Bought by the buyer, and no longer in the pool. */
  readonly lostProxy: number;
  readonly job: string;
  /** Started by an operator. */
  readonly operatorJob: string;
  /** A key of the buyer's. */
  readonly keyId: number;
  /** A key of an agent below the buyer. */
  readonly keyBelowId: number;
  /** An app that the buyer allowed. */
  readonly connection: number;
}

interface Agent {
  readonly id: number;
  readonly key: string;
  readonly username: string;
}

export async function setScene(platform: TestPlatform): Promise<Scene> {
  const [seller, buyer, outsider] = await Promise.all([
    platform.agent({ usd: 500 }),
    platform.agent({ usd: 500 }),
    platform.agent({ usd: 500 }),
  ]);
  const content = `CANARY-${randomUUID()}`;
  const unlimited = { stock_kind: 'unlimited', content, price: 0.01 };
  const { id: product } = await platform.product(seller, unlimited);
  const { id: hidden } = await platform.product(seller, { active: false, title: 'A hidden thing' });
  const bought = await platform.request('POST /api/v1/orders', {
    key: buyer.key,
    body: { product_id: product },
  });
  const [{ id: job }] = await platform.query('select job_id as id from orders where id = $1', [
    bought.body.order_id,
  ]);
  const [proxy] = await stock(platform);
  const task = await openTask(platform, buyer, { budget: 0.5 });
  await submit(platform, { taskId: task, key: seller.key }, `${content} of a result`);
  const hiredTask = await openTask(platform, buyer, { budget: 0.5 });
  await hire(platform, { taskId: hiredTask, poster: buyer, worker: seller }, 0.01);
  const data = await offer(platform, seller, { price: 0.01, data: [{ content }] });
  await buy(platform, buyer, { id: data.product_id });
  await platform.request('POST /api/v1/messages', {
    key: buyer.key,
    body: { order_id: bought.body.order_id, text: `${content} of a message` },
  });
  const units = Array.from({ length: 60 }, () => ({ payload: `${content} of a unit` }));
  const posted = await postLabor(platform, seller, { units, reward: 0.001, overlap: 2 });
  const { task_id: laborTask } = posted.body;
  const { claim_id: laborClaim } = await take(platform, laborTask, buyer);
  const withdrawn = await platform.request('POST /api/v1/wallet/withdrawals', {
    key: buyer.key,
    body: { amount: 1, address: `0x${'cd'.repeat(20)}` },
  });
  const issued = await platform.request('POST /api/v1/asa', {
    key: seller.key,
    body: { name: 'Canary coin', unit_name: 'HID', total_supply: 7 },
  });
  const minted = await platform.request('POST /api/v1/nft', {
    key: seller.key,
    body: { uri: 'ipfs://bafy/2.json', address: ADDRESS },
  });
  const child = await childOf(platform, outsider);
  // Each has the one collection that it may have.
  for (const { key } of [seller, buyer, outsider, child]) {
    const body = { name: 'Goods', symbol: 'GOODS', uri: 'ipfs://bafy/1.json' };
    await platform.request('POST /api/v1/solana/collection', { key, body });
  }
  const refresh = await platform.request('POST /api/v1/admin/proxy/refresh', {
    key: OPERATOR_TOKEN,
    headers: { prefer: 'respond-async' },
  });
  return {
    platform,
    product,
    task,
    hiredTask,
    dataset: data.dataset_id,
    laborTask,
    laborClaim,
    withdrawal: withdrawn.body.withdrawal_id,
    asset: issued.body.asset_id,
    nft: minted.body.nft_id,
    proxy: proxy!,
    operatorJob: refresh.body.job_id,
    lostProxy: await lostProxyOf(platform, buyer),
    hidden,
    job,
    seller,
    buyer,
    outsider,
    child,
    revokedKey: await revokedKeyOf(platform, outsider),
    order: bought.body.order_id,
    keyId: await freshKeyOf(platform, buyer),
    keyBelowId: await freshKeyBelow(platform, buyer),
    connection: await allowedBy(platform, buyer),
  };
}

/** The id of one more key of this agent's. */
export async function freshKeyOf(platform: TestPlatform, agent: { key: string }): Promise<number> {
  const body = { name: 'one more', scopes: ['read'] };
  const made = await platform.request('POST /api/v1/agent/keys', { key: agent.key, body });
  return made.body.key_id;
}

/** The id of the key of a new agent below this one. */
export async function freshKeyBelow(platform: TestPlatform, agent: { id: number }) {
  const { id } = await childOf(platform, agent);
  const [key] = await platform.query('select id::int from api_key where agent_id = $1', [id]);
  return key.id as number;
}

/** A proxy that this agent has just bought, and that is no longer in the pool. */
export async function lostProxyOf(platform: TestPlatform, agent: { key: string }): Promise<number> {
  const [id] = await stock(platform);
  await platform.request(`GET /api/v1/proxy/${id}`, { key: agent.key });
  await platform.query('delete from proxy where id = $1', [id]);
  return id!;
}

async function revokedKeyOf(platform: TestPlatform, agent: { key: string }): Promise<string> {
  const body = { name: 'revoked', scopes: ['read', 'buy', 'sell'] };
  const made = await platform.request('POST /api/v1/agent/keys', { key: agent.key, body });
  await platform.request(`DELETE /api/v1/agent/keys/${made.body.key_id}`, { key: agent.key });
  const key = made.body.api_key.key;
  await eventually(
    () => platform.request('GET /api/v1/agent/me', { key }),
    ({ status }) => status === 401,
  );
  return key;
}
