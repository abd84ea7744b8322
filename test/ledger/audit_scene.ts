import { expect } from 'chai';

import { databaseOf } from '../../shared/platform/database.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { childOf } from '../agents/child.ts';
import { allowedBy } from '../connections/allowed.ts';
import { access, offer, rotate } from '../datasets/offer.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { openPool, postLabor, judge, work } from '../labor/pool.ts';
import { buy, meet } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { closeToday } from '../receipts/close_today.ts';
import { gatherRecords } from '../records/gather_records.ts';
import { issueReceipts } from '../receipts/receipt_book.ts';
import { act as actOnTask, done, hire, openTask, submit } from '../tasks/board.ts';
import { chargesOf } from '../wallet/charges.ts';
import { paidBefore } from '../x402/paid_before.ts';
import { issueWithoutChain } from '../tokens/issue_without_chain.ts';
import { payWithoutChain } from '../withdrawals/pay_without_chain.ts';

/** A platform whose workers are paused, with rows of every sort that an audit looks at. */
export interface AuditScene {
  readonly platform: TestPlatform;
  /** Ids of agents, orders and other objects, and of their escrows, by role. */
  readonly ids: Readonly<Record<string, string | number>>;
}

/** Orders of every sort: the first is paid with credit too, the second by a child. */
export async function openAuditScene(): Promise<AuditScene> {
  const platform = await TestPlatform.open();
  const { pay } = chargesOf(() => platform);
  const { buyer, seller, product } = await meet(platform, {
    items: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],
    usd: 20,
  });
  const child = await childOf(platform, buyer);
  const act = async (action: string, id: number) => {
    const { status } = await platform.request(`POST /api/v1/orders/${id}/${action}`, buyer);
    expect(status).to.equal(200);
  };
  const completed = await buy(platform, buyer, product);
  await act('confirm', completed);
  await buy(platform, child, product);
  const review = { key: buyer.key, body: { rating: 5, text: 'It works.' } };
  done(await platform.request(`POST /api/v1/orders/${completed}/review`, review));
  const refunded = await buy(platform, buyer, product);
  await act('refund', refunded);
  const open = await buy(platform, buyer, product);
  const openedTask = await openTask(platform, buyer, { budget: 1 });
  const task = { taskId: await openTask(platform, buyer, { budget: 1 }), poster: buyer };
  await hire(platform, { ...task, worker: seller });
  await submit(platform, { taskId: task.taskId, key: seller.key });
  done(await actOnTask(platform, 'approve', { taskId: task.taskId, key: buyer.key }));
  const dataset = await offer(platform, seller, { price: 0.1 });
  await buy(platform, buyer, { id: dataset.product_id });
  await access(platform, buyer, dataset.dataset_id);
  await rotate(platform, seller, dataset.dataset_id, { data: [{ is: 'new' }] });
  const laborTask = done(await postLabor(platform, buyer, { reward: 0.1 })).task_id;
  const { claim_id } = await work(platform, laborTask, seller);
  for (const about of [{ order_id: open }, { task_id: task.taskId }, { claim_id }]) {
    const body = { ...about, text: 'Thank you.' };
    done(await platform.request('POST /api/v1/messages', { key: buyer.key, body }));
  }
  await judge(platform, { poster: buyer, taskId: laborTask }, claim_id, 'accept');
  await openPool(platform);
  await pay(buyer, { units: 3 });
  for (const dollars of [90, 80]) {
    await setPolicy(platform, buyer, { daily_spend_limit: dollars * 1_000_000 });
  }
  const others = { other: await platform.agent({ usd: 5 }), idle: await platform.agent() };
  for (const action of ['suspend', 'resume']) {
    const route = `POST /api/v1/admin/agents/${others.other.id}/${action}`;
    await platform.request(route, { key: OPERATOR_TOKEN, body: { note: 'A test.' } });
  }
  await platform.request(`POST /api/v1/admin/agents/${others.other.id}/goodwill`, {
    key: OPERATOR_TOKEN,
    body: { amount: 2, reference: 'ticket-1' },
  });
  await paidBefore({ query: (...sql) => platform.query(...sql) });
  const withdrawals = await withdrawThrice(platform, await platform.agent({ usd: 5 }));
  const tokens = await issueWithoutChain(platform, await platform.agent({ usd: 5 }));
  const quotes = await quoteTwice(platform, buyer, product);
  const decided = await decideThree(platform, child, buyer, product);
  const [escrows] = await platform.query(
    `select jsonb_object_agg(id, escrow_id::text) as of from orders`,
  );
  const [taskEscrows] = await platform.query(
    `select jsonb_object_agg(id, escrow_id::text) as of from task`,
  );
  const ids = {
    task: openedTask,
    done_task: task.taskId,
    dataset: dataset.dataset_id,
    escrow_of_task: taskEscrows.of[openedTask],
    escrow_of_done_task: taskEscrows.of[task.taskId],
    labor: laborTask,
    labor_done: claim_id,
    buyer: buyer.id,
    seller: seller.id,
    other: others.other.id,
    idle: others.idle.id,
    connection: await allowedBy(platform, others.idle),
    open,
    ...decided,
    ...quotes,
    ...withdrawals,
    ...tokens,
    refunded,
    escrow_of_open: escrows.of[open],
    escrow_of_completed: escrows.of[completed],
    escrow_of_refunded: escrows.of[refunded],
  };
  await gatherRecords(platform);
  await issueReceipts(platform);
  await closeToday(platform);
  await platform.pauseWorkers();
  // A timer may have summed up a part. Sabotages of transfers say nothing of sums.
  const owner = await databaseOf(platform.config.migrationDatabaseUrl, 1).initialize();
  await owner.query('delete from daily_money');
  await owner.query('delete from account_sum');
  await owner.query('update money_watermark set id = 0, next_id = 0');
  await owner.destroy();
  return { platform, ids };
}

/**
 * Calls of a child that wait for its owner: a purchase is approved, one is denied, one waits, and
 * a purchase by a quote too.
 */
async function decideThree(
  platform: TestPlatform,
  child: { id: number; key: string },
  { key }: { key: string },
  product: { id: number },
): Promise<Record<'approved' | 'pending', number>> {
  await setPolicy(platform, child, { approval_threshold: 0 });
  const { body: asked } = await platform.request('POST /api/v1/orders', {
    key: child.key,
    body: { product_id: product.id },
  });
  const others = await Promise.all(
    ['denied', 'pending'].map((email) =>
      platform.request(`GET /api/v1/email/validate/${email}`, { key: child.key }),
    ),
  );
  await platform.request(`POST /api/v1/approvals/${asked.approval_id}/approve`, { key });
  await platform.request(`POST /api/v1/approvals/${others[0]!.body.approval_id}/deny`, { key });
  const { body } = await eventually(
    () => platform.request(`GET ${asked.poll}?wait=5`, { key }),
    (reply) => reply.body.status === 'complete',
  );
  const quote_id = await quoteOf(platform, child, product);
  await platform.request('POST /api/v1/orders', { key: child.key, body: { quote_id } });
  const { body: newest } = await platform.request('GET /api/v1/orders?limit=1', child);
  return { approved: body.result.order_id, pending: newest.orders[0].order_id };
}

/** One is open, for as long as the scene, and one was bought. */
async function quoteTwice(
  platform: TestPlatform,
  buyer: { key: string },
  product: { id: number },
): Promise<Record<'quote' | 'quoted', number>> {
  const quoted = await quoteOf(platform, buyer, product);
  const body = { quote_id: quoted };
  done(await platform.request('POST /api/v1/orders', { key: buyer.key, body }));
  const quote = await quoteOf(platform, buyer, product);
  await platform.query(`update quote set expires_at = 'infinity' where id = $1`, [quote]);
  return { quote, quoted };
}

async function quoteOf(
  platform: TestPlatform,
  { key }: { key: string },
  product: { id: number },
): Promise<number> {
  const body = { product_id: product.id };
  return done(await platform.request('POST /api/v1/orders/preview', { key, body })).quote_id;
}

/** One is open, one was paid and one was cancelled. */
async function withdrawThrice(
  platform: TestPlatform,
  { key }: { key: string },
): Promise<Record<string, number>> {
  const route = 'POST /api/v1/wallet/withdrawals';
  const withdraw = async () => {
    const body = { amount: 1, address: `0x${'ab'.repeat(20)}` };
    return done(await platform.request(route, { key, body })).withdrawal_id as number;
  };
  const [withdrawal, paid, cancelled] = [await withdraw(), await withdraw(), await withdraw()];
  await payWithoutChain(platform, paid);
  done(await platform.request(`${route}/${cancelled}/cancel`, { key }));
  return { withdrawal, withdrawal_paid: paid };
}
