import { expect } from 'chai';
import fc from 'fast-check';

import { audit } from '../../shared/composition/audit.ts';
import { fromUsd, toUsd } from '../../shared/kernel/money.ts';
import { priceOf } from '../../shared/domains/orders/order.ts';
import { TestPlatform } from '../harness.ts';

const PRICE_MAX = 1_000_000_000_000n;
const QUANTITY_MAX = 1_000;

describe('the price of a purchase', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** The condition that the table itself demands of a row. */
  async function checkOf(table: string, name: string): Promise<string> {
    const [{ sql }] = await platform.query(
      `select pg_get_constraintdef(oid) as sql from pg_constraint
        where conrelid = $1::regclass and conname = $2`,
      [table, name],
    );
    return sql.replace(/^CHECK /, '');
  }

  const Drawn = fc.tuple(
    fc.bigInt({ min: 1n, max: PRICE_MAX }),
    fc.integer({ min: 1, max: QUANTITY_MAX }),
  );
  const seed = Math.floor(Math.random() * 2 ** 31);
  const cases: [bigint, number][] = [
    ...fc.sample(Drawn, { numRuns: 10_000, seed }),
    ...[1n, 4n, 5n, 14n, 15n, PRICE_MAX - 1n, PRICE_MAX].flatMap((price) =>
      [1, 2, QUANTITY_MAX - 1, QUANTITY_MAX].map((quantity): [bigint, number] => [price, quantity]),
    ),
  ];
  const quotes = cases.map(([price, quantity]) => ({ quantity, ...priceOf(price, quantity) }));

  /** The quotes that the checks of orders would refuse, were they changed by so much. */
  async function refused({ subtotal = 0n, fee = 0n } = {}): Promise<number> {
    const checks = ['order_sum', 'order_fee', 'order_funds', 'orders_quantity_check'];
    const all = await Promise.all(checks.map((name) => checkOf('orders', name)));
    const column = (of: (each: (typeof quotes)[number]) => bigint | number) =>
      quotes.map((q) => `${of(q)}`);
    const [{ n }] = await platform.query(
      `select count(*)::int as n
         from (select *, 0::bigint as credit, total as cash from
                unnest($1::bigint[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[])
                  as q(unit_price, quantity, subtotal, fee, total)) drawn
        where not (${all.join(' and ')})`,
      [
        column((each) => each.unitPrice),
        column((each) => each.quantity),
        column((each) => each.subtotal + subtotal),
        column((each) => each.fee + fee),
        column((each) => each.total + subtotal + fee),
      ],
    );
    return n;
  }

  it(`of any price and quantity, up to the dearest order, is what the database demands (seed ${seed})`, async () => {
    expect(await refused()).to.equal(0);
  });

  it('that is wrong by a micro-dollar is refused by the database', async () => {
    for (const change of [{ fee: 1n }, { fee: -1n }, { subtotal: 1n }, { subtotal: -1n }]) {
      expect(await refused(change)).to.equal(quotes.length);
    }
  });

  it('is exact on the wire', () => {
    for (const { subtotal, fee, total } of quotes) {
      for (const amount of [subtotal, fee, total]) {
        expect(fromUsd(toUsd(amount))).to.equal(amount);
        expect(BigInt(Math.round(Number(JSON.stringify(toUsd(amount))) * 1e6))).to.equal(amount);
      }
      expect(total - subtotal - fee).to.equal(0n);
      // Half a micro-dollar rounds up, and never more than that.
      expect(fee * 10n - subtotal >= -4n && fee * 10n - subtotal <= 5n).to.equal(true);
    }
  });

  it('cannot be asked for beyond the caps', async () => {
    const price = await checkOf('product', 'product_price_check');
    const [{ allowed }] = await platform.query(
      `select array_agg(${price} order by price) as allowed
         from unnest(array[0, 1, ${PRICE_MAX}, ${PRICE_MAX + 1n}]::bigint[]) as p(price)`,
    );
    expect(allowed).to.deep.equal([false, true, true, false]);
    const quantity = await checkOf('orders', 'orders_quantity_check');
    const [{ sold }] = await platform.query(
      `select array_agg(${quantity} order by quantity) as sold
         from unnest(array[0, 1, ${QUANTITY_MAX}, ${QUANTITY_MAX + 1}]) as o(quantity)`,
    );
    expect(sold).to.deep.equal([false, true, true, false]);
  });
});
