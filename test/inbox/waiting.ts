import { childOf } from '../agents/child.ts';
import { offer } from '../datasets/offer.ts';
import { failRecharges } from '../deposits/failed_recharge.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { act as actOnOrder, openDeal } from '../orders/deal.ts';
import { judge, labor, openPool, take, verdictsOf, work } from '../labor/pool.ts';
import { buy, runTimer } from '../orders/trade.ts';
import { setPolicy } from '../policy.ts';
import { act, bidOn, done, hire, openJob, submit, type Agent, type Job } from '../tasks/board.ts';

export interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly method: string;
  readonly path: string;
  readonly body: object | null;
  readonly needs: readonly string[];
}

export interface Item {
  readonly kind: string;
  readonly id: number;
  /** The agent below that it waits for. */
  readonly agent_id?: number;
  readonly if_you_do_nothing: string;
  readonly deadline: string | null;
  readonly amount: number;
  readonly calls: readonly Call[];
}

export const inboxOf = async (platform: TestPlatform, { key }: { key: string }, query = '') =>
  done(await platform.request(`GET /api/v1/inbox${query}`, { key })) as {
    inbox: Item[];
    count: number;
    next_cursor: string | null;
    has_more: boolean;
    counts: { kind: string; count: number }[];
  };

const GOODS = { stock_kind: 'unlimited', content: 'It.', price: 0.2 };

/** An agent for whom one entry waits, for each kind of entry and each shape of it. */
export const WAITING: Readonly<Record<string, (platform: TestPlatform) => Promise<Agent>>> = {
  order_to_confirm: async (platform) => (await openDeal(platform, GOODS)).buyer,
  'order_to_confirm, opened': async (platform) => {
    const { buyer, orderId } = await openDeal(platform, GOODS);
    done(await actOnOrder(platform, 'get_vault_item', { orderId, key: buyer.key }));
    return buyer;
  },
  goods_to_dispute: async (platform) => {
    const { buyer, orderId, productId } = await openDeal(platform, GOODS);
    const body = { enabled: true, pattern: '^never$' };
    const path = `PUT /api/v1/orders/goods-checks/${productId}`;
    done(await platform.request(path, { key: buyer.key, body }));
    done(await actOnOrder(platform, 'get_vault_item', { orderId, key: buyer.key }));
    await eventually(
      () => platform.query('select from goods_verdict where order_id = $1', [orderId]),
      (verdicts) => verdicts.length === 1,
    );
    return buyer;
  },
  dispute_to_answer: async (platform) => {
    const { buyer, seller, orderId } = await openDeal(platform, GOODS);
    done(await actOnOrder(platform, 'dispute_order', { orderId, key: buyer.key }));
    return seller;
  },
  access_to_repair: async (platform) => (await deniedAccess(platform)).seller,
  access_to_await: async (platform) => (await deniedAccess(platform)).buyer,
  bids_to_judge: async (platform) => {
    const { poster, worker, taskId } = await openJob(platform);
    done(await bidOn(platform, { taskId, key: worker.key }, 0.5));
    return poster;
  },
  'bids_to_judge, with work': async (platform) => {
    const { poster, worker, taskId } = await openJob(platform);
    done(await submit(platform, { taskId, key: worker.key }));
    return poster;
  },
  work_to_judge: async (platform) => (await submitted(platform)).poster,
  work_to_submit: async (platform) => {
    const job = await openJob(platform);
    await hire(platform, job);
    return job.worker;
  },
  'work_to_submit, again': async (platform) => {
    const { poster, worker, taskId } = await submitted(platform);
    done(await act(platform, 'revision', { taskId, key: poster.key }, { note: 'More.' }));
    return worker;
  },
  rejection_to_dispute: async (platform) => {
    const { poster, worker, taskId } = await submitted(platform);
    done(await act(platform, 'reject', { taskId, key: poster.key }, { reason: 'No.' }));
    return worker;
  },
  approval_to_decide: async (platform) => {
    const owner = await platform.agent({ usd: 5 });
    const child = await childOf(platform, owner);
    await setPolicy(platform, child, { approval_threshold: 0 });
    const body = { title: 'Name a sea', budget: 0.3 };
    await platform.request('POST /api/v1/tasks', { key: child.key, body });
    return owner;
  },
  claim_to_deliver: async (platform) => {
    const { taskId } = await openPool(platform);
    const worker = await platform.agent();
    await take(platform, taskId, worker);
    return worker;
  },
  claim_to_appeal: async (platform) => {
    const pool = await openPool(platform, { verification: 'manual' });
    const worker = await platform.agent();
    const { claim_id } = await work(platform, pool.taskId, worker);
    done(await judge(platform, pool, claim_id, 'reject'));
    return worker;
  },
  deliveries_to_judge: async (platform) => {
    const { poster, taskId } = await openPool(platform, { verification: 'manual' });
    await work(platform, taskId, await platform.agent());
    return poster;
  },
  'deliveries_to_judge, of a draw': async (platform) => {
    const fields = { verification: 'consensus', overlap: 2, max_overlap: 2 };
    const { poster, taskId } = await openPool(platform, fields);
    for (const answer of ['cat', 'dog']) {
      await work(platform, taskId, await platform.agent(), answer);
    }
    return poster;
  },
  appeals_to_judge: async (platform) => {
    const { poster, taskId } = await openPool(platform, {
      units: [{ payload: 'A picture.', expected: 'cat' }],
    });
    const worker = await platform.agent();
    const { claim_id } = await work(platform, taskId, worker, 'dog');
    await verdictsOf(platform, taskId);
    const appeal = { claim_id, reason: 'It is one.' };
    done(await labor(platform, 'appeal', { taskId, key: worker.key }, appeal));
    return poster;
  },
  message_to_answer: async (platform) => {
    const { buyer, seller, orderId } = await openDeal(platform, GOODS);
    done(await write(platform, buyer, { order_id: orderId }));
    return seller;
  },
  'message_to_answer, of a bidder': async (platform) => {
    const { poster, worker, taskId } = await openJob(platform);
    done(await bidOn(platform, { taskId, key: worker.key }, 0.5));
    done(await write(platform, worker, { task_id: taskId }));
    return poster;
  },
  'message_to_answer, of a worker': async (platform) => {
    const { poster, taskId } = await openPool(platform);
    const worker = await platform.agent();
    const { claim_id } = await take(platform, taskId, worker);
    done(await write(platform, worker, { claim_id }));
    return poster;
  },
  agent_to_resume: async (platform) => {
    const root = await platform.agent();
    await suspendByRule(platform, await childOf(platform, root));
    return root;
  },
  'agent_to_resume, the root itself': async (platform) => {
    const root = await platform.agent();
    await suspendByRule(platform, root);
    return root;
  },
  limit_to_raise: async (platform) => {
    const root = await platform.agent({ usd: 5 });
    await setPolicy(platform, root, { daily_spend_limit: 500_000 });
    const body = { title: 'Name a sea', budget: 0.4 };
    done(await platform.request('POST /api/v1/tasks', { key: root.key, body }));
    await runTimer(platform, 'watch_spending');
    return root;
  },
  recharge_to_renew: async (platform) => {
    const root = await platform.agent();
    await failRecharges(platform, root);
    return root;
  },
  low_balance: async (platform) => {
    const agent = await platform.agent();
    done(
      await platform.request('POST /api/v1/tasks', {
        key: agent.key,
        body: { title: 'Name a sea', budget: 0.4 },
      }),
    );
    return agent;
  },
};

/** An order whose buyer asked for its user of a server, which could not be made. */
async function deniedAccess(platform: TestPlatform) {
  const [seller, buyer] = await Promise.all([platform.agent(), platform.agent({ usd: 5 })]);
  const { dataset_id: id, product_id } = await offer(platform, seller, { price: 0.2 });
  const order = await buy(platform, buyer, { id: product_id });
  await platform.query(
    `insert into dataset_grant (dataset_id, agent_id, root_id, order_id, username, password, fault)
     values ($1, $2, $2, $3, 'vnx_' || $3::bigint, '', 'It is down.')`,
    [id, buyer.id, order],
  );
  return { seller, buyer };
}

/** Suspends like find_anomalies. */
export const suspendByRule = (platform: TestPlatform, { id }: { id: number }) =>
  platform.query(
    `with found as (
       insert into anomaly (agent_id, root_id, rule, seen, allowed, since, until, suspends)
       select id, root_id, 'debit_burst', 2, 1, now(), now(), true from agent where id = $1
       returning *),
     noted as (
       insert into suspension (agent_id, root_id, status, anomaly_id)
       select agent_id, root_id, 'suspended', id from found)
     update agent set status = 'suspended' where id = $1`,
    [id],
  );

export const write = (platform: TestPlatform, { key }: { key: string }, about: object) =>
  platform.request('POST /api/v1/messages', { key, body: { text: 'Well?', ...about } });

export async function submitted(platform: TestPlatform): Promise<Job> {
  const job = await openJob(platform);
  await hire(platform, job);
  done(await submit(platform, { taskId: job.taskId, key: job.worker.key }));
  return job;
}

/** Texts that only the agent can say. */
export const WORDS: Readonly<Record<string, string>> = {
  reason: 'It is salty.',
  response: 'It is not.',
  result: 'The Aral Sea.',
  note: 'A larger one.',
  text: 'Yes.',
  submission: 'cat',
};
