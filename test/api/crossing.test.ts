// test:all: a long model: many agents at all interfaces at once.
import { randomUUID } from 'node:crypto';

import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect } from 'chai';

import { TestPlatform, type Reply } from '../harness.ts';
import { connectBySse } from './mcp/sse_client.ts';

const AGENTS = 20;

/** The result of a call by any interface. */
interface CallResult {
  readonly answer: Record<string, unknown>;
  readonly isError: boolean;
}

describe('many agents at all interfaces at once', () => {
  let platform: TestPlatform;
  let seller: { key: string };
  const clients: Client[] = [];

  before(async () => {
    platform = await TestPlatform.open();
    seller = await platform.agent();
  });
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
  after(() => platform.close());

  const resultOf = ({ structuredContent, isError }: Record<string, unknown>): CallResult => ({
    answer: structuredContent as CallResult['answer'],
    isError: isError === true,
  });

  async function byMessage(key: string, name: string, args: object): Promise<CallResult> {
    const id = randomUUID();
    const { body } = await platform.request('POST /api/v1/mcp', {
      key,
      body: { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } },
    });
    expect(body.id).to.equal(id);
    return resultOf(body.result);
  }

  async function byCall(
    key: string,
    name: string,
    args: object,
    alike = true,
  ): Promise<CallResult> {
    const { body } = await platform.request('POST /api/v1/mcp/call', {
      key,
      body: alike ? { tool: name, params: args } : { name, parameters: args },
    });
    return resultOf(body);
  }

  const byStream = async (client: Client, name: string, args: object): Promise<CallResult> =>
    resultOf(await client.callTool({ name, arguments: { ...args } }));

  it('gives each agent its own answers and nobody else’s', async function () {
    this.timeout(60_000);
    const { id: product_id } = await platform.product(seller, {
      stock_kind: 'unlimited',
      content: 'It.',
    });
    const agents = await Promise.all(
      Array.from({ length: AGENTS }, async (_, n) => {
        const agent = await platform.agent({ usd: 10 + n });
        const client = await connectBySse(agent.key, platform.url);
        clients.push(client);
        return { ...agent, n, client };
      }),
    );
    await Promise.all(
      agents.map(async ({ key, id, n, client }) => {
        const own: number[] = [];
        const calls = [
          (name: string, args: object) => byStream(client, name, args),
          (name: string, args: object) => byMessage(key, name, args),
          (name: string, args: object) => byCall(key, name, args),
        ];
        // All calls of an agent are in flight at the same time, mixed with those of the others.
        const rounds = [0, 1].map(() =>
          Promise.all(
            calls.map(async (call) => {
              const [me, bought] = await Promise.all([
                call('agent_me', {}),
                call('purchase_product', { product_id, wait: 25 }),
              ]);
              expect(me.answer.agent_id).to.equal(id);
              expect(bought.answer, JSON.stringify(bought.answer)).to.include({ product_id });
              own.push(bought.answer.order_id as number);
            }),
          ),
        );
        await Promise.all(rounds);
        for (const call of calls) {
          const { answer } = await call('get_wallet', {});
          expect(answer.balance).to.equal(Math.round((10.5 + n - 6 * 1.1) * 1e6) / 1e6);
          const { orders } = (await call('get_orders', {})).answer as {
            orders: { order_id: number }[];
          };
          expect(orders.map(({ order_id }) => order_id)).to.have.members(own);
        }
      }),
    );
  });

  it('answers and charges alike at every interface', async () => {
    const { id: product_id } = await platform.product(seller, {
      stock_kind: 'unlimited',
      content: 'It.',
      price: 0.7,
    });
    const rest = async (key: string, route: string, body?: object): Promise<CallResult> => {
      const reply: Reply = await platform.request(route, { key, ...(body && { body }) });
      return { answer: reply.body, isError: reply.status >= 400 };
    };
    const interfaces: Record<
      string,
      (key: string, name: string, args: object) => Promise<CallResult>
    > = {
      'JSON-RPC': byMessage,
      'tool and params': byCall,
      'name and parameters': (key, name, args) => byCall(key, name, args, false),
      async stream(key, name, args) {
        const client = await connectBySse(key, platform.url);
        try {
          return await byStream(client, name, args);
        } finally {
          await client.close();
        }
      },
      REST: (key, name, args) =>
        rest(
          key,
          {
            prepare_purchase_payload: 'POST /api/v1/orders/preview',
            purchase_product: 'POST /api/v1/orders',
            get_wallet: 'GET /api/v1/wallet',
          }[name]!,
          name === 'get_wallet' ? undefined : args,
        ),
    };
    const seen = await Promise.all(
      Object.entries(interfaces).map(async ([name, call]) => {
        const { key } = await platform.agent({ usd: 1 });
        const story = [
          await call(key, 'prepare_purchase_payload', { product_id, quantity: 2 }),
          await call(key, 'purchase_product', { product_id }),
          await call(key, 'purchase_product', { product_id: 2 ** 31 - 1 }),
          await call(key, 'purchase_product', { product_id, quantity: 2 }),
          await call(key, 'purchase_product', { product_id: 'x' }),
          await call(key, 'get_wallet', {}),
        ];
        return { name, answers: JSON.stringify(story, sameForAll) };
      }),
    );
    for (const { name, answers } of seen) expect(answers, name).to.equal(seen[0]!.answers);
    expect(JSON.parse(seen[0]!.answers).at(-1).answer).to.include({
      balance: 0.73,
      in_escrow: 0.77,
    });
  });
});

/** The buyer, the times and the order's id differ; nothing else may. */
function sameForAll(name: string, value: unknown): unknown {
  const own = ['order_id', 'item_endpoint', 'buyer_id', 'request_id', 'dispute'];
  return own.includes(name) || /_at$|deadlines|due/.test(name) ? undefined : value;
}
