// test:all: the client is built, and its program runs.
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { meet } from '../orders/trade.ts';
import { issueReceipts } from '../receipts/receipt_book.ts';
import { buildClient, type BuiltClient } from './built.ts';

describe('a deal that is followed from its quote to its receipt', () => {
  let platform: TestPlatform;
  let client: BuiltClient;
  before(async () => {
    platform = await TestPlatform.open();
    client = await buildClient(platform);
  });
  after(async () => {
    client.remove();
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** The lines of the program, for a product whose receipts are issued as soon as it is paid. */
  async function follow(...keys: string[]) {
    const { buyer, product } = await meet(platform, {
      title: 'Forecast “tomorrow”',
      description: 'Sun,\n and some wind.',
      items: ['one', 'two', 'three'],
    });
    const running = client.example(
      'proven_deal',
      platform.url,
      buyer.key,
      String(product.id),
      ...keys,
    );
    const completed = `select id from orders where product_id = $1 and status = 'completed'`;
    const [{ id }] = await eventually(
      () => platform.query(completed, [product.id]),
      (orders) => orders.length === 1,
    );
    await issueReceipts(platform);
    const ran = await running;
    return { ok: ran.ok, lines: ran.all.trim().split('\n'), id, product: product.id };
  }

  it('is proven by the public key alone', async () => {
    const { ok, lines, id, product } = await follow();
    expect(ok, lines.join('\n')).to.equal(true);
    expect(lines[0]).to.match(new RegExp(`^quote ${id}: \\$1\\.1 until 2`));
    expect(lines[1]).to.equal(`order ${id}: paid, opened and confirmed`);
    expect(lines[2]).to.match(/^receipt \d+: signed$/);
    expect(lines[3]).to.equal(`proven: $1.1 for product ${product}, version 1`);
  });

  it('is not proven by the keys of another', async () => {
    const other = await TestPlatform.open();
    try {
      const { ok, lines } = await follow(`${other.url}/.well-known/jwks.json`);
      expect(ok).to.equal(false);
      expect(lines.join('\n')).to.contain('NotVerified');
    } finally {
      await other.close();
    }
  });
});
