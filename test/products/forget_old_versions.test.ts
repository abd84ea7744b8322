import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { VERSIONS_MAX } from '../../shared/domains/products/forget_old_versions.ts';
import { TestPlatform } from '../harness.ts';
import { buy, meet, runTimer, type Agent } from '../orders/trade.ts';

describe('forget_old_versions', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open()));
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const text = (content: string) => ({ stock_kind: 'unlimited', content });
  const update = (seller: Agent, { id }: { id: number }, body: object) =>
    platform.request(`PATCH /api/v1/products/${id}`, { key: seller.key, body });
  const versionsOf = async ({ id }: { id: number }): Promise<number[]> =>
    (
      await platform.query(
        'select version from product_version where product_id = $1 order by version',
        [id],
      )
    ).map(({ version }: { version: number }) => version);

  /** Forgets old versions as if so many hours had passed. */
  async function forgetAfter(hours: number) {
    await platform.query(
      'update product_version set superseded_at = superseded_at - make_interval(hours => $1)',
      [hours],
    );
    await runTimer(platform, 'forget_old_versions');
  }

  async function contentOf(buyer: Agent, orderId: number): Promise<string> {
    const { body } = await platform.request(`GET /vault/${orderId}`, { key: buyer.key });
    return body.items[0].content;
  }

  it('deletes what nobody bought 30 days after the next version, and keeps what was', async () => {
    const { seller, buyer, product } = await meet(platform, text('first'));
    const orderId = await buy(platform, buyer, product);
    for (const change of [{ price: 2 }, { content: 'third' }, { price: 3 }, { content: 'fifth' }]) {
      await update(seller, product, change);
    }
    await forgetAfter(24 * 30 - 1);
    expect(await versionsOf(product)).to.deep.equal([1, 2, 3, 4, 5]);
    await forgetAfter(2);
    // Version 4 delivers the content of version 3, and goes first.
    expect(await versionsOf(product)).to.deep.equal([1, 3, 5]);
    await forgetAfter(24 * 30 + 1);
    expect(await versionsOf(product)).to.deep.equal([1, 5]);

    expect(await contentOf(buyer, orderId)).to.equal('first');
    expect(await contentOf(buyer, await buy(platform, buyer, product))).to.equal('fifth');
  });

  it('keeps the content that the current version delivers', async () => {
    const { seller, buyer, product } = await meet(platform, text('the only text'));
    for (const price of [2, 3]) await update(seller, product, { price });
    await forgetAfter(24 * 31);
    expect(await versionsOf(product)).to.deep.equal([1, 3]);
    await forgetAfter(24 * 31);
    const orderId = await buy(platform, buyer, product);
    expect(await contentOf(buyer, orderId)).to.equal('the only text');
  });

  it('goes on until nothing is left that is too old', async () => {
    const { product } = await meet(platform);
    await platform.query(
      `insert into product_version (product_id, version, title, price, superseded_at)
       select $1, 1 + n, 'old', 1, now() - interval '31 days' from generate_series(1, $2) as n`,
      [product.id, VERSIONS_MAX + 1],
    );
    await runTimer(platform, 'forget_old_versions');
    expect(await versionsOf(product)).to.deep.equal([1]);
  });

  it('has a database that refuses to delete a version that was bought, or is current', async () => {
    const { seller, buyer, product } = await meet(platform);
    await buy(platform, buyer, product);
    for (const price of [2, 3]) await update(seller, product, { price });
    const remove = (version: number) =>
      platform.query('delete from product_version where product_id = $1 and version = $2', [
        product.id,
        version,
      ]);
    for (const version of [1, 3]) {
      const error = await remove(version).then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error?.message).to.include('a version that was bought, or is the current one, stays');
    }
    await remove(2);
    expect(await versionsOf(product)).to.deep.equal([1, 3]);
  });
});
