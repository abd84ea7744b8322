import { expect } from 'chai';

import type { TestPlatform } from '../harness.ts';
import type { Agent } from './trade.ts';

/** Products of so many units; of an unlimited one the number means nothing. */
export const KINDS = {
  serial_pool: (units: number, name: string) => ({
    items: Array.from({ length: units }, (_, n) => `KEY-${name}-${n}`),
  }),
  counted: (units: number) => ({ stock_kind: 'counted', quantity: units, content: 'Old.' }),
  unlimited: () => ({ stock_kind: 'unlimited', content: 'Old.' }),
};
export type Kind = keyof typeof KINDS;

/** Calls of agents about quotes, on the platform that is open when they make them. */
export function quotesOf(platform: () => TestPlatform) {
  const call = (route: string, { key }: { key: string }, body?: object, headers = {}) =>
    platform().request(route, { key, headers, ...(body && { body }) });
  const preview = (agent: { key: string }, body: object, headers = {}) =>
    call('POST /api/v1/orders/preview', agent, body, headers);
  return {
    call,
    preview,
    meet: async (kind: Kind, { units = 1, usd = 5, ...fields }: Record<string, number> = {}) => {
      const seller = await platform().agent();
      const goods = KINDS[kind](units, seller.username);
      const { id } = await platform().product(seller, { ...goods, ...fields });
      const delivers = 'items' in goods ? goods.items : [goods.content];
      const buyer: Agent = await platform().agent({ usd });
      return { seller, buyer, product: { id, delivers } };
    },
    quote: async (agent: { key: string }, body: object): Promise<number> => {
      const { status, body: answer, text } = await preview(agent, body);
      expect([status, answer.held], text).to.deep.equal([200, true]);
      return answer.quote_id;
    },
    buy: (agent: { key: string }, body: object, headers = {}) =>
      call('POST /api/v1/orders', agent, body, headers),
    vaultOf: async (agent: { key: string }, order: number): Promise<string[]> => {
      const { body } = await call(`GET /vault/${order}`, agent);
      return body.items.map(({ content }: { content: string }) => content);
    },
    change: async (seller: { key: string }, { id }: { id: number }, fields: object) => {
      const { status, text } = await call(`PATCH /api/v1/products/${id}`, seller, fields);
      expect(status, text).to.equal(200);
    },
    stockOf: async (seller: { key: string }, { id }: { id: number }) => {
      const { body } = await call(`GET /api/v1/products/${id}/stock`, seller);
      return [body.available, body.reserved, body.sold];
    },
    overdue: (...quotes: number[]) =>
      platform().query(
        `update quote set expires_at = now() - interval '1 second' where id = any ($1)`,
        [quotes],
      ),
  };
}
