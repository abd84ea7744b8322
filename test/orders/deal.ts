import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { TestPlatform, Reply } from '../harness.ts';

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';

export interface Agent {
  readonly id: number;
  readonly key: string;
}

/** A seller, a buyer and what the one bought of the other. */
export interface Deal {
  readonly seller: Agent & { readonly username: string };
  readonly buyer: Agent & { readonly username: string };
  readonly productId: number;
  readonly orderId: number;
}

/** An order in escrow: by default of one unit for $1, paid with $0.50 credit and $0.60 cash. */
export async function openDeal(
  platform: TestPlatform,
  { usd = 5, units = 1, ...fields }: { usd?: number; units?: number; [name: string]: unknown } = {},
): Promise<Deal> {
  const [seller, buyer] = await Promise.all([platform.agent(), platform.agent({ usd })]);
  const items = Array.from({ length: units }, () => `KEY-${randomUUID()}`);
  const { id: productId } = await platform.product(seller, {
    price: 1,
    ...(!fields.stock_kind && { items }),
    ...fields,
  });
  const body = { product_id: productId, quantity: units };
  const bought = await platform.request('POST /api/v1/orders', { key: buyer.key, body });
  expect(bought.status, bought.text).to.equal(200);
  return { seller, buyer, productId, orderId: bought.body.order_id };
}

const ROUTES = {
  confirm_order: 'confirm',
  refund_order: 'refund',
  dispute_order: 'dispute',
  respond_dispute: 'dispute/respond',
  withdraw_dispute: 'dispute/withdraw',
} as const;
const BODIES: { readonly [action: string]: object } = {
  dispute_order: { reason: 'It does not open.' },
  respond_dispute: { response: 'It opened for me.' },
};
export type Action = keyof typeof ROUTES | 'get_vault_item';
export const ACTIONS = [...Object.keys(ROUTES), 'get_vault_item'] as Action[];

/** Acts for a party on an order, with whatever else the call needs. */
export function act(
  platform: TestPlatform,
  action: Action,
  { orderId, key }: { orderId: number; key: string | undefined },
  body: object | undefined = BODIES[action],
): Promise<Reply> {
  if (action === 'get_vault_item') return platform.request(`GET /vault/${orderId}`, { key });
  const route = `POST /api/v1/orders/${orderId}/${ROUTES[action]}`;
  return platform.request(route, { key, ...(body && { body }) });
}

export const decide = (platform: TestPlatform, orderId: number, body: object): Promise<Reply> =>
  platform.request(`POST /api/v1/admin/disputes/order/${orderId}/verdict`, {
    key: OPERATOR_TOKEN,
    body: { note: 'I have seen both sides.', ...body },
  });

export async function orderAs(platform: TestPlatform, { key }: Agent, orderId: number) {
  return (await platform.request(`GET /api/v1/orders/${orderId}`, { key })).body;
}

/** The wallets of these agents, for comparing before and after. */
export async function walletsOf(platform: TestPlatform, ...agents: Agent[]) {
  const replies = agents.map(({ key }) => platform.request('GET /api/v1/wallet', { key }));
  return (await Promise.all(replies)).map(({ body }) => {
    const { cash, credit, in_escrow, daily_spend } = body;
    return { cash, credit, in_escrow, daily_spend };
  });
}

/** Events of an order, as this agent was told, oldest first. */
export async function newsOf(
  platform: TestPlatform,
  { id }: Agent,
  orderId: number,
): Promise<string[]> {
  const rows: { type: string }[] = await platform.query(
    `select type from event where agent_id = $1 and object_kind = 'order' and object_id = $2
      order by id`,
    [id, orderId],
  );
  return rows.map(({ type }) => type);
}

/** The seller's time to answer the dispute of this order is over. */
export const makeSilent = (platform: TestPlatform, orderId: number) =>
  platform.query(`update dispute set respond_by = now() - interval '1 s' where order_id = $1`, [
    orderId,
  ]);

export function expectRefusal({ status, body }: Reply, expected: number, code: string): void {
  expect([status, body.error], JSON.stringify(body)).to.deep.equal([expected, code]);
}

/** Refused, with this code, and nobody's money moved. */
export async function refuses(
  platform: TestPlatform,
  { seller, buyer }: Deal,
  ask: () => Promise<Reply>,
  [status, code]: readonly [number, string],
): Promise<void> {
  const before = await walletsOf(platform, seller, buyer);
  expectRefusal(await ask(), status, code);
  expect(await walletsOf(platform, seller, buyer)).to.deep.equal(before);
}
