// test:all: tables of many rows are filled, to see the plans of statements at size.
import { expect } from 'chai';

import { PLATFORM } from '../../shared/kernel/caller.ts';
import type { Tx } from '../../shared/kernel/tx.ts';
import { listProducts } from '../../shared/domains/products/list_products.ts';
import { TestPlatform } from '../harness.ts';
import { rowsRead } from './rows_read.ts';
import { copyRow, withoutTriggers } from './superuser.ts';

/** Products of each of two sellers, one of whom has listed all of them before the other. */
const ROWS = 20_000;
const LIMIT = 10;
/** A page and one more, with the seller of each. */
const PAGE = 2 * (LIMIT + 1);
/** Rows that a list by price may read: those it sorts, and a page of them. */
const BY_PRICE = 1_000 + PAGE;

describe('list_products among very many', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let early: { id: number };
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    const text = { stock_kind: 'unlimited', content: 'x' };
    for (const category of ['dataset', 'api_service']) {
      const seller = await platform.agent();
      early ??= seller;
      const { id } = await platform.product(seller, { ...text, category });
      await copyRow(platform, 'product', {
        where: `t.id = ${id}`,
        count: ROWS,
        // Thousands have the same price.
        changes: { id: `t.id + n`, price: '10000 * (1 + n % 3)' },
      });
      await withoutTriggers(
        platform,
        `select setval(pg_get_serial_sequence('product', 'id'), (select max(id) from product))`,
      );
    }
    await withoutTriggers(platform, 'analyze product; analyze agent');
  });
  after(() => platform.close());

  const read = (input: object) =>
    rowsRead(
      platform,
      ['product', 'agent'],
      (db) => {
        const tx = { db, caller: PLATFORM } as unknown as Tx;
        return listProducts.handle(tx, { limit: LIMIT, ...input } as never, undefined as never);
      },
      { answers: true },
    );

  it('reads a page of the newest, of a category and of a seller, even one of long ago', async () => {
    for (const input of [{}, { category: 'dataset' }, { seller_id: early.id }]) {
      expect(await read(input), JSON.stringify(input)).to.be.at.most(PAGE);
    }
  });

  it('reads as many as are listed by price, however many have the same', async () => {
    for (const input of [
      { sort: 'price_asc' },
      { sort: 'price_desc' },
      { max_price: 0.02, category: 'dataset', sort: 'price_desc' },
      { max_price: 0.01, cursor: Buffer.from('500').toString('base64url') },
    ]) {
      expect(await read(input), JSON.stringify(input)).to.be.at.most(BY_PRICE);
    }
  });
});
