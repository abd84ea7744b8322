import { randomUUID } from 'node:crypto';

import type { OpenOrder } from '../setup/open_orders.ts';
import type { Population } from '../setup/populate.ts';
import type { Caller } from './http_callers.ts';

export const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

/** A request as it goes over the wire. */
function request(route: string, headers: object, body = ''): string {
  const all = {
    host: '127.0.0.1',
    ...headers,
    ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${route} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

type Buyers = Pick<Population, 'buyers'>;
type NewCaller = () => Caller;

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const purchase = (key: string, productId: number) =>
  request(
    'POST /api/v1/orders',
    { ...bearer(key), 'idempotency-key': randomUUID() },
    `{"product_id":${productId}}`,
  );

/** Purchases of one unit by any buyer, each with a new key. */
export const buying =
  ({ buyers }: Buyers, products: readonly number[]): NewCaller =>
  () =>
  () =>
    purchase(anyOf(buyers).key, anyOf(products));

/** Purchases, each followed by its confirmation, which releases the money to the seller. */
export const trading =
  ({ buyers }: Buyers, products: readonly number[]): NewCaller =>
  () => {
    let { key } = anyOf(buyers);
    let isBought = false;
    return (answer) => {
      if (isBought) {
        isBought = false;
        const [, orderId] = /"order_id":(\d+)/.exec(answer) ?? [];
        return request(`POST /api/v1/orders/${orderId}/confirm`, bearer(key));
      }
      isBought = true;
      ({ key } = anyOf(buyers));
      return purchase(key, anyOf(products));
    };
  };

/** Confirmations of these orders, each once, by their buyers. */
export const confirming = (orders: readonly OpenOrder[]): NewCaller => {
  let confirmed = 0;
  return () => () => {
    const order = orders[confirmed++];
    if (!order) throw new Error(`${orders.length} open orders are not enough`);
    return request(`POST /api/v1/orders/${order.id}/confirm`, bearer(order.key));
  };
};

/** Reads by any buyer. */
export const reading =
  ({ buyers }: Buyers, path: string): NewCaller =>
  () =>
  () =>
    request(`GET ${path}`, bearer(anyOf(buyers).key));

/** Reads of a public page. */
export const browsing =
  (path: string): NewCaller =>
  () =>
  () =>
    request(`GET ${path}`, { accept: 'text/html' });

/** Tool calls by any buyer. */
export const callingTool = ({ buyers }: Buyers, name: string): NewCaller => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
  const body = JSON.stringify(message);
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
  };
  return () => () =>
    request('POST /api/v1/mcp', { ...bearer(anyOf(buyers).key), ...headers }, body);
};

/** The queries one after another; each caller starts with the first. */
export const searching =
  ({ buyers }: Buyers, queries: readonly string[]): NewCaller =>
  () => {
    let asked = 0;
    return () => {
      const query = encodeURIComponent(queries[asked++ % queries.length]!);
      const path = `/api/v1/products/search?query=${query}`;
      return request(`GET ${path}`, bearer(anyOf(buyers).key));
    };
  };
