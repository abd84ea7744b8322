import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { eventually, type Reply, type TestPlatform } from '../harness.ts';
import { stock } from '../proxies/stock.ts';

export interface Agent {
  readonly id: number;
  readonly key: string;
}

interface Listed {
  readonly approval_id: number;
  readonly status: string;
  readonly available_actions: readonly string[];
}

/** Price and name of each kind of spend. */
export const SPENDS = {
  purchase: { price: 0.11, operation: 'purchase_product' },
  'some proxies': { price: 0.01, operation: 'proxy_list' },
  'one proxy': { price: 0.001, operation: 'proxy_fetch_one' },
  'an address': { price: 0.002, operation: 'validate_email' },
  'a batch of addresses': { price: 0.006, operation: 'validate_emails' },
  'a task': { price: 0.05, operation: 'task_post' },
  labor: { price: 0.05, operation: 'post_labor_task' },
} as const;
export type SpendName = keyof typeof SPENDS;

/** A platform on which agents ask and owners decide. */
export async function openScene(platform: TestPlatform) {
  const seller = await platform.agent();
  const goods = { stock_kind: 'unlimited', content: 'It.', price: 0.1 };
  const { id: product } = await platform.product(seller, goods);
  const [proxy] = await stock(platform, { count: 10 });

  const call = (route: string, { key }: Agent, body?: object, headers = {}): Promise<Reply> =>
    platform.request(route, { key, headers, ...(body && { body }) });

  function spend(name: SpendName, agent: Agent, headers = {}): Promise<Reply> {
    const emails = ['a', 'b', 'c']; // That these are no addresses is an answer, without a network.
    switch (name) {
      case 'purchase':
        return call('POST /api/v1/orders', agent, { product_id: product }, headers);
      case 'some proxies':
        return call('GET /api/v1/proxy/list?limit=10', agent, undefined, headers);
      case 'one proxy':
        return call(`GET /api/v1/proxy/${proxy}`, agent, undefined, headers);
      case 'an address':
        return call(`GET /api/v1/email/validate/${emails[0]}`, agent, undefined, headers);
      case 'a batch of addresses':
        return call('POST /api/v1/email/validate', agent, { emails }, headers);
      case 'a task':
        return call('POST /api/v1/tasks', agent, { title: 'Count', budget: 0.05 }, headers);
      case 'labor':
        return call(
          'POST /api/v1/labor',
          agent,
          {
            kind: 'labeling',
            title: 'Cat or dog',
            instructions: 'Answer.',
            reward: 0.05,
            units: [{ payload: 'A picture.' }],
          },
          headers,
        );
    }
  }

  return {
    platform,
    seller,
    product,
    call,
    spend,
    set: (owner: Agent, { id }: { id: number }, limits: object) =>
      call(`POST /agent/monitor/${id}/policy`, owner, limits),
    decide: (owner: Agent, approval: number, decision: 'approve' | 'deny' | 'cancel') =>
      call(`POST /api/v1/approvals/${approval}/${decision}`, owner),
    list: async (owner: Agent, query = '') =>
      (await call(`GET /api/v1/approvals${query}`, owner)).body.approvals as Listed[],
    /** An owner, and a child whose calls above so much wait for it. */
    async family(approval_threshold: number | null = 0) {
      const root: Agent = await platform.agent({ usd: 4.5 });
      const child: Agent = await childOf(platform, root);
      await call(`POST /agent/monitor/${child.id}/policy`, root, { approval_threshold });
      return { root, child };
    },
    /** A call that waits: the body of its 202. */
    async ask(agent: Agent, name: SpendName = 'purchase', headers = {}) {
      const { status, body } = await spend(name, agent, headers);
      expect([status, body.status]).to.deep.equal([202, 'approval_required']);
      return body as { approval_id: number; expires_at: string; poll: string };
    },
    /** The job of a call that no longer waits. */
    ended: ({ poll }: { poll: string }, { key }: Agent) =>
      eventually(
        async () => (await platform.request(`GET ${poll}?wait=5`, { key })).body,
        ({ status }) => status !== 'pending',
      ),
  };
}
export type Scene = Awaited<ReturnType<typeof openScene>>;
