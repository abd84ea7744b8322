import { expect } from 'chai';

import { DEMO } from '../../local/demo/catalogue.ts';
import { TestPlatform } from '../harness.ts';
import { MORE, QUERIES } from './search_queries.ts';

describe('search_assets finds what is meant', () => {
  let platform: TestPlatform;
  let reader: { key: string };
  let seller: { key: string; username: string };
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    [reader, seller] = [await platform.agent(), await platform.agent()];
    for (const product of DEMO) await platform.product(seller, { ...product });
    for (const [title, description, category] of MORE) {
      const stock = { stock_kind: 'unlimited', content: 'x' };
      await platform.product(seller, { title, description, category, ...stock });
    }
  });
  after(() => platform.close());

  const search = async (query: string) => {
    const path = `/api/v1/products/search?query=${encodeURIComponent(query)}`;
    return (await platform.request(`GET ${path}`, { key: reader.key })).body;
  };

  for (const [query, title] of Object.entries(QUERIES)) {
    it(query, async () => {
      const { products } = await search(query);
      expect(products[0]?.title).to.equal(title);
    });
  }
});
