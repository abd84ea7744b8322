import { expect } from 'chai';

import { connectByMcp } from '../api/mcp/mcp_agent.ts';
import { connectBySse } from '../api/mcp/sse_client.ts';
import { signedIn } from '../console/browser_like.ts';
import type { TestPlatform } from '../harness.ts';
import type { Agent } from './trade.ts';

export interface Bought {
  readonly orderId: number;
  readonly seller: Agent;
  readonly buyer: Agent;
}

/** The goods of an order, and the call that opens them. */
export interface Goods {
  readonly canary: string;
  /** Path of the call by REST. */
  readonly open: string;
  readonly tool: 'get_vault_item' | 'access_dataset';
  readonly input: object;
}

const KEY = 'opened-before';
/** The idempotency key of a call that is made before the deal ends, and repeated after it. */
export const headers = { 'idempotency-key': KEY };

/** All that answers to a tool of this name and input, as text. */
async function byTools(
  platform: TestPlatform,
  { key }: Agent,
  name: string,
  input: object,
): Promise<[string, string][]> {
  const streamable = await connectByMcp(platform.url, key);
  const sse = await connectBySse(key, platform.url);
  try {
    const call = (body: object) =>
      platform.request('POST /api/v1/mcp/call', { key, body }).then(({ text }) => text);
    const byStream = await streamable.call(name, input).catch((error: unknown) => String(error));
    const bySse = await sse.callTool({ name, arguments: { ...input } });
    return [
      ['MCP', JSON.stringify(byStream)],
      ['MCP over SSE', JSON.stringify(bySse)],
      ['/mcp/call', await call({ tool: name, params: input })],
      ['/mcp/call, repeated', await call({ tool: name, params: input, idempotency_key: KEY })],
    ];
  } finally {
    await Promise.all([streamable.close(), sse.close()]);
  }
}

/** All that would open the goods. */
export async function openings(
  platform: TestPlatform,
  bought: Bought,
  { open, tool, input }: Goods,
) {
  const { orderId, buyer } = bought;
  const get = async (path: string, key = buyer.key, more = {}) =>
    (await platform.request(`GET ${path}`, { key, headers: more })).text;
  const browser = await signedIn(platform, buyer);
  const fields = { order_id: String(orderId), _back: `/console/orders/${orderId}` };
  const isVault = tool === 'get_vault_item';
  return [
    ['REST', await get(open)],
    ['REST, repeated', await get(open, buyer.key, headers)],
    ...(await byTools(platform, buyer, tool, input)),
    ...(isVault ? [['the alias', await get(`/api/v1${open}`)]] : []),
    ...(isVault
      ? [['the console', (await browser.post('/console/do/get_vault_item', fields)).text]]
      : []),
  ] as [string, string][];
}

/** All that tells of the deal and never holds its goods. */
export async function tellings(
  platform: TestPlatform,
  { orderId, buyer, seller }: Bought,
): Promise<[string, string][]> {
  const paths = [
    `/api/v1/orders/${orderId}`,
    '/api/v1/orders',
    '/api/v1/events?limit=100',
    '/api/v1/inbox',
    '/api/v1/wallet/statement',
    '/api/v1/messages',
    '/api/v1/datasets',
    '/api/v1/products',
  ];
  const told: [string, string][] = [];
  for (const { key } of [buyer, seller]) {
    for (const path of paths) {
      told.push([path, (await platform.request(`GET ${path}`, { key })).text]);
    }
  }
  const browser = await signedIn(platform, buyer);
  for (const path of [`/console/orders/${orderId}`, '/console/money/statement.csv']) {
    const { status, text } = await browser.get(path);
    expect(status, path).to.equal(200);
    told.push([path, text]);
  }
  const jobs = await platform.query(
    `select coalesce(answer::text, '') || input::text as text
                                       from job where agent_id = any ($1)`,
    [[buyer.id, seller.id]],
  );
  return [...told, ...jobs.map(({ text }: { text: string }) => ['a job', text])];
}
