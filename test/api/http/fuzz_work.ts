import { expect } from 'chai';

import type { TestPlatform } from '../../harness.ts';
import { childOf } from '../../agents/child.ts';
import { EXAMPLES } from '../../../api/docs/examples.ts';
import { allowedBy } from '../../connections/allowed.ts';
import { unclaimedRow } from '../../deposits/unclaimed/unclaimed_row.ts';
import { stock } from '../../proxies/stock.ts';
import { openCollectionRig } from '../../tokens/collection_rig.ts';
import { offer } from '../../datasets/offer.ts';
import { closeToday } from '../../receipts/close_today.ts';
import { issueReceipts, receiptsOf } from '../../receipts/receipt_book.ts';
import { openWithStripe, type PlatformWithStripe } from '../../sandbox/stripe_platform.ts';
import { ADDRESS } from '../../tokens/address.ts';
import { openIssuerRig } from '../../tokens/issuer.ts';
import { setPolicy } from '../../policy.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

/** The objects that paths name, and the agents whose keys are sent. */
export async function addObjects(platform: TestPlatform) {
  const [seller, agent, owner] = [
    await platform.agent({ usd: 100 }),
    await platform.agent({ usd: 1_000 }),
    await platform.agent(), // Some of its keys are revoked and rotated, but not the one in use.
  ];
  const goods = { stock_kind: 'unlimited', content: 'It.', price: 0.01 };
  for (const each of [seller, agent, seller]) await platform.product(each, goods);
  await platform.product(agent, { price: 0.01 }); // A pool of units.
  await platform.product(agent, { ...goods, stock_kind: 'counted', quantity: 1_000 });
  await stock(platform, { count: 8 });
  for (const _ of [1, 2, 3]) await platform.keyOf(owner, ['read']);
  await childOf(platform, agent); // 4
  await platform.agent(); // 5
  await addWork(platform, { poster: agent, worker: seller });
  const { sold } = await addDatasets(platform, { agent, seller });
  await addConnections(platform, agent);
  // Orders 1 and 4 are bought by the agent, 2 and 3 of it; 3 is in dispute.
  for (const [{ key }, product_id] of [
    [agent, 1],
    [seller, 2],
    [seller, sold],
    [agent, 3],
  ] as const) {
    const body = { product_id };
    const bought = await platform.request('POST /api/v1/orders?wait=20', { key, body });
    expect(bought.status, bought.text).to.equal(200);
  }
  // Proxies that were bought and have left the pool are dead, and refunded.
  for (const id of [1, 2]) await platform.request(`GET /api/v1/proxy/${id}`, { key: agent.key });
  await platform.query('delete from proxy where id <= 2');
  await dispute(platform, seller, 3);
  // Order 2 is over, with a review that the agent may answer.
  for (const [path, body] of [
    ['confirm', {}],
    ['review', { rating: 4 }],
  ] as const) {
    const done = await platform.request(`POST /api/v1/orders/2/${path}`, { key: seller.key, body });
    expect(done.status, done.text).to.equal(200);
  }
  return { agent, owner, receipts: await addReceipts(platform, agent) };
}

/**
 * Tasks 1 and 2 of the poster and 3 and 4 of the worker, each with a bid of the other, which is
 * accepted of task 3; labor tasks 1 to 4 alike, with claims 1 to 3 of the poster on task 3, as in
 * the examples of the API, and claim 4 of the worker on task 1; and four calls of the poster,
 * approvals 1 to 4, that wait for itself; withdrawals 1 to 3 of the poster, and its
 * tokens 1 to 4, the last two of them NFTs.
 */
async function addWork(
  platform: TestPlatform,
  { poster, worker }: { poster: Agent; worker: Agent },
): Promise<void> {
  const call = async (route: string, { key }: Agent, body: object) => {
    const reply = await platform.request(route, { key, body });
    expect(reply.status, reply.text).to.be.oneOf([200, 202]);
    return reply.body;
  };
  const post = (agent: Agent, n: number) =>
    call('POST /api/v1/tasks?wait=20', agent, { title: `Task ${n}`, budget: 10 });
  for (const [n, [agent, bidder]] of [
    [poster, worker],
    [poster, worker],
    [worker, poster],
    [worker, poster],
  ].entries()) {
    const { task_id } = await post(agent!, n);
    const bid = await call(`POST /api/v1/tasks/${task_id}/bids`, bidder!, { bid_amount: 5 });
    if (n === 2) await call(`POST /api/v1/tasks/3/bids/${bid.bid_id}/accept`, agent!, {});
  }
  for (const [n, agent] of [poster, poster, worker, worker].entries()) {
    const units = [1, 2, 3, 4, 5, 6, 7, 8].map((unit) => ({ payload: `Unit ${n} ${unit}` }));
    const task = { kind: 'labeling', title: 'Cat or dog', instructions: 'Answer.', reward: 0.01 };
    await call('POST /api/v1/labor?wait=20', agent, { ...task, units });
  }
  for (const [task, taker] of [
    [3, poster],
    [3, poster],
    [3, poster],
    [1, worker],
  ] as const) {
    await call(`POST /api/v1/labor/${task}/take`, taker, {});
  }
  await setPolicy(platform, poster, { approval_threshold: 1_000 });
  for (const n of [5, 6, 7, 8]) {
    expect(await post(poster, n)).to.include({ status: 'approval_required' });
  }
  await setPolicy(platform, poster, { approval_threshold: null });
  await addWithdrawals(platform, poster);
  for (const n of [1, 2]) {
    const asset = { name: `Coin ${n}`, unit_name: 'COIN', total_supply: 7 };
    await call('POST /api/v1/asa?wait=20', poster, asset);
  }
  for (const n of [3, 4]) {
    const nft = { uri: `ipfs://bafy/${n}.json`, address: ADDRESS };
    await call('POST /api/v1/nft?wait=20', poster, nft);
  }
  const collection = { name: 'Goods', symbol: 'GOODS', uri: 'ipfs://bafy/1.json' };
  await call('POST /api/v1/solana/collection?wait=20', poster, collection);
}

/** The last of them waits for a review. */
async function addWithdrawals(platform: TestPlatform, { key }: { key: string }): Promise<void> {
  const body = { amount: 1, address: `0x${'ab'.repeat(20)}` };
  for (const status of [200, 200, 200]) {
    const reply = await platform.request('POST /api/v1/wallet/withdrawals?wait=20', { key, body });
    expect(reply.status, reply.text).to.equal(status);
  }
  await platform.query(`update withdrawal set review = 'pending' where id = 3`);
}

/**
 * Connections, webhooks and files of addresses 1 to 4 of the agent, and the wallet of
 * unlink_wallet's example.
 */
async function addConnections(platform: TestPlatform, agent: Agent): Promise<void> {
  for (const n of [1, 2, 3, 4]) {
    await allowedBy(platform, agent);
    const body = { url: `https://hook${n}.example.com/` };
    await platform.request('POST /api/v1/webhooks', { key: agent.key, body });
    const file = { content: `one${n}@example.com\n` };
    await platform.request('POST /api/v1/email/files', { key: agent.key, body: file });
  }
  const { network, address } = EXAMPLES.operations.unlink_wallet!.input;
  await platform.query(
    'insert into linked_wallet (family, address, agent_id, root_id) values ($1, $2, $3, $3)',
    [network, String(address).toLowerCase(), agent.id],
  );
}

/** Datasets 1 and 2 of the agent and 3 and 4 of the seller, free. */
async function addDatasets(
  platform: TestPlatform,
  { agent, seller }: { agent: Agent; seller: Agent },
): Promise<{ sold: number }> {
  for (const one of [agent, seller, seller]) await offer(platform, one);
  await offer(platform, agent, { price: 0.01 });
  const [{ sold }] = await platform.query(
    'select product_id::int as sold from dataset where product_id is not null',
  );
  return { sold };
}

async function dispute(platform: TestPlatform, { key }: Agent, id: number) {
  const body = { reason: 'It does not open.' };
  const { status } = await platform.request(`POST /api/v1/orders/${id}/dispute`, { key, body });
  expect(status).to.equal(200);
}

/**
 * The receipts of the agent, and a day that is closed. Their own timer may come to them when a slow
 * machine has answered everything.
 */
async function addReceipts(
  platform: TestPlatform,
  agent: Agent,
): Promise<{ ids: string[]; day: string }> {
  await issueReceipts(platform);
  await closeToday(platform);
  const ids = (await receiptsOf(platform, agent)).map(({ receipt_id }) => String(receipt_id));
  expect(ids).not.to.deep.equal([]);
  const [{ day }] = await platform.query('select max(day)::text as day from receipt_day');
  return { ids, day };
}

/** Payments of nobody, deposits 1 to 3: the first is that of claim_deposit's example. */
async function addUnclaimed(platform: TestPlatform): Promise<void> {
  const { tx_id } = EXAMPLES.operations.claim_deposit!.input;
  for (const id of [String(tx_id), 'a', 'b']) await unclaimedRow(platform, id);
}

/** Calls about cards and tokens are answered by sandboxes of Stripe, Algorand and Solana. */
export async function openFuzzed(): Promise<PlatformWithStripe> {
  const issuer = await openIssuerRig();
  const collections = await openCollectionRig();
  const SANDBOX = 'base,algorand,solana';
  const env = { WAIT_MS: '0', ...issuer.env, ...collections.env, SANDBOX };
  const stripe = await openWithStripe({ env, schedules: true });
  await addUnclaimed(stripe.platform);
  return {
    ...stripe,
    async close() {
      await stripe.close();
      await issuer.rig.close();
      await collections.rig.close();
    },
  };
}

/** A reply, and how long it took in ms. */
export async function timed<T>(asked: Promise<T>): Promise<{ reply: T; ms: number }> {
  const askedAt = performance.now();
  const reply = await asked;
  return { reply, ms: performance.now() - askedAt };
}
