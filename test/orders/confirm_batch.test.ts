import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { eventually, TestPlatform, type Reply } from '../harness.ts';
import { act, newsOf, openDeal, orderAs, walletsOf, type Deal } from './deal.ts';
import { codes, gatheredConfirmations } from './gathered_confirmations.ts';
import { buy } from './trade.ts';

describe('confirmations that come together', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { confirm, inOneBatch } = gatheredConfirmations(() => platform);

  /** Transactions that paid for these orders. */
  const transactionsOf = async (orderIds: readonly number[]) => {
    const [{ transactions, paid }] = await platform.query(
      `select count(distinct tx)::int as transactions, count(*)::int as paid
         from ledger.transfer where kind = 'order.release' and ref = any ($1)`,
      [orderIds],
    );
    return { transactions, paid };
  };

  it('pay all sellers in one transaction, and tell both sides', async () => {
    const { seller, buyer, productId, orderId } = await openDeal(platform, {
      stock_kind: 'unlimited',
      content: 'open',
    });
    const body = { product_id: productId };
    const bought = await platform.request('POST /api/v1/orders', { key: buyer.key, body });
    const orders = [orderId, bought.body.order_id as number];
    const other = await openDeal(platform, { usd: 7 });

    const replies = await inOneBatch([
      ...orders.map((id) => () => confirm(id, buyer.key)),
      () => confirm(other.orderId, other.buyer.key),
    ]);

    expect(codes(replies)).to.deep.equal(['completed', 'completed', 'completed']);
    expect(replies.map(({ body: order }) => order.order_id)).to.deep.equal([
      ...orders,
      other.orderId,
    ]);
    expect(replies[0]!.body.available_actions).to.deep.equal(['get_vault_item']);
    expect(await transactionsOf([...orders, other.orderId])).to.deep.equal({
      transactions: 1,
      paid: 3,
    });
    expect(await walletsOf(platform, seller, buyer, other.seller)).to.deep.equal([
      { cash: 1.5, credit: 1, in_escrow: 0, daily_spend: 0 },
      { cash: 3.3, credit: 0, in_escrow: 0, daily_spend: 2.2 },
      { cash: 0.5, credit: 1, in_escrow: 0, daily_spend: 0 },
    ]);
    for (const [agent, id] of [
      [seller, orders[0]!],
      [buyer, orders[1]!],
      [other.seller, other.orderId],
    ] as const) {
      expect(await newsOf(platform, agent, id)).to.deep.equal(['order.created', 'order.completed']);
    }
  });

  it('are refused one by one, each with its reason, and the others are paid', async () => {
    const deals = await Promise.all(Array.from({ length: 8 }, () => openDeal(platform)));
    const [good, theirs, sold, refunded, disputed, confirmed, twice, raced] = deals;
    const owner = await platform.agent({ usd: 5 });
    const child = await childOf(platform, owner);
    const open = await openDeal(platform, { stock_kind: 'unlimited', content: 'open' });
    const body = { product_id: open.productId };
    const { body: ofChild } = await platform.request('POST /api/v1/orders', {
      key: child.key,
      body,
    });
    await act(platform, 'refund_order', { orderId: refunded!.orderId, key: refunded!.buyer.key });
    await act(platform, 'dispute_order', { orderId: disputed!.orderId, key: disputed!.buyer.key });
    await confirm(confirmed!.orderId, confirmed!.buyer.key);
    const parties = deals.flatMap(({ seller, buyer }) => [seller, buyer]);
    const before = await walletsOf(platform, ...parties);

    const replies = await inOneBatch(
      [
        () => confirm(good!.orderId, good!.buyer.key),
        () => confirm(999_999_999, good!.buyer.key),
        () => confirm(theirs!.orderId, good!.buyer.key),
        () => confirm(sold!.orderId, sold!.seller.key),
        () => confirm(refunded!.orderId, refunded!.buyer.key),
        () => confirm(disputed!.orderId, disputed!.buyer.key),
        () => confirm(confirmed!.orderId, confirmed!.buyer.key),
        () => confirm(twice!.orderId, twice!.buyer.key),
        () => confirm(twice!.orderId, twice!.buyer.key),
        () => confirm(ofChild.order_id, owner.key),
        () => confirm(raced!.orderId, raced!.buyer.key),
      ],
      () => act(platform, 'refund_order', { orderId: raced!.orderId, key: raced!.seller.key }),
    );

    const [, ...others] = codes(replies);
    expect(codes(replies)[0]).to.equal('completed');
    expect(others.slice(0, 6)).to.deep.equal([
      [404, 'not_found'],
      [404, 'not_found'],
      [403, 'forbidden'],
      [409, 'invalid_transition'],
      [409, 'invalid_transition'],
      [409, 'invalid_transition'],
    ]);
    expect(others.slice(6, 8)).to.have.deep.members(['completed', [409, 'invalid_transition']]);
    expect(others.slice(8)).to.deep.equal(['completed', [409, 'invalid_transition']]);
    const paid = [good!.orderId, twice!.orderId, ofChild.order_id as number];
    expect(await transactionsOf(paid)).to.deep.equal({ transactions: 1, paid: 3 });

    const after = await walletsOf(platform, ...parties);
    const isPaid = ({ orderId }: Deal) => paid.includes(orderId);
    deals.forEach((deal, n) => {
      if (isPaid(deal) || deal === raced) return;
      expect(after.slice(2 * n, 2 * n + 2)).to.deep.equal(before.slice(2 * n, 2 * n + 2));
    });
    const cash = (n: number) => after[n]!.cash + after[n]!.credit;
    expect([cash(0), cash(12), cash(14)]).to.deep.equal([1.5, 1.5, 0.5]);
  });

  it('happen once for a key, and free or bind it as a lone one does', async () => {
    const [good, moved, theirs] = (await Promise.all(
      Array.from({ length: 3 }, () => openDeal(platform)),
    )) as [Deal, Deal, Deal];
    const used = await openDeal(platform, { stock_kind: 'unlimited', content: 'open' });
    const another = await buy(platform, used.buyer, { id: used.productId });
    await act(platform, 'dispute_order', { orderId: moved.orderId, key: moved.buyer.key });
    const [once, freed, bound, taken] = [1, 2, 3, 4].map(() => randomUUID()) as [
      string,
      string,
      string,
      string,
    ];
    const { body: first } = await confirm(used.orderId, used.buyer.key, taken);

    const replies = await inOneBatch([
      () => confirm(good.orderId, good.buyer.key, once),
      () => confirm(good.orderId, good.buyer.key, once),
      () => confirm(moved.orderId, moved.buyer.key, freed),
      () => confirm(theirs.orderId, good.buyer.key, bound),
      () => confirm(used.orderId, used.buyer.key, taken),
      () => confirm(another, used.buyer.key, taken),
    ]);

    const [mine, repeat, refused, absent, replayed, conflict] = replies as [Reply, ...Reply[]];
    expect([mine.status, repeat!.status]).to.deep.equal([200, 200]);
    expect(repeat!.text).to.equal(mine.text);
    const marks = [mine, repeat!].map(({ headers }) => headers.get('idempotent-replayed'));
    expect(marks).to.have.members([null, 'true']);
    expect(codes([refused!, absent!])).to.deep.equal([
      [409, 'invalid_transition'],
      [404, 'not_found'],
    ]);
    expect(replayed!.body).to.deep.equal(first);
    expect(codes([conflict!])).to.deep.equal([[422, 'idempotency_conflict']]);
    expect((await orderAs(platform, used.buyer, another)).status).to.equal('escrow');

    const again = await confirm(good.orderId, good.buyer.key, once);
    expect([again.text, again.headers.get('idempotent-replayed')]).to.deep.equal([
      mine.text,
      'true',
    ]);
    const kept = await platform.query(
      `select key, status, http_status from job where operation = 'confirm_order'
          and key = any ($1) order by array_position($1, key)`,
      [[once, freed, bound, taken]],
    );
    expect(kept).to.deep.equal([
      { key: once, status: 'complete', http_status: 200 },
      { key: bound, status: 'failed', http_status: 404 },
      { key: taken, status: 'complete', http_status: 200 },
    ]);
    const pending = `select from job where operation = 'confirm_order' and status = 'pending'`;
    expect(await platform.query(pending)).to.deep.equal([]);
  });

  it('leave out an order that somebody is refunding, and still pay the others together', async () => {
    const [refunded, ...others] = (await Promise.all(
      Array.from({ length: 3 }, () => openDeal(platform)),
    )) as [Deal, Deal, Deal];
    const refund = platform.context.database.createQueryRunner();
    await refund.query('start transaction');
    await refund.query('select from lock_orders($1)', [[refunded.orderId]]);
    await refund.query('select settle_orders($1, $2)', [[refunded.orderId], [0]]);
    let areGathered = false;
    const replies = inOneBatch(
      [refunded, ...others].map(
        ({ orderId, buyer }) =>
          () =>
            confirm(orderId, buyer.key),
      ),
      async () => (areGathered = true),
    );
    const waiting = `select from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%confirm_orders%'`;
    await eventually(
      () => platform.query(waiting),
      ({ length }) => areGathered && length === 1,
    );
    await refund.query('commit');
    await refund.release();
    expect(codes(await replies)).to.deep.equal([
      [409, 'invalid_transition'],
      'completed',
      'completed',
    ]);
    const paid = others.map(({ orderId }) => orderId);
    expect(await transactionsOf(paid)).to.deep.equal({ transactions: 1, paid: 2 });
  });

  it('harm no other when one of them cannot be performed', async () => {
    const [good, bad, keyed] = (await Promise.all(
      Array.from({ length: 3 }, () => openDeal(platform)),
    )) as [Deal, Deal, Deal];
    // The order names an escrow that nobody filled.
    const damage = `update orders set escrow_id = -escrow_id where id = $1`;
    await platform.query(damage, [bad.orderId]);
    const key = randomUUID();
    const replies = await inOneBatch([
      () => confirm(good.orderId, good.buyer.key),
      () => confirm(bad.orderId, bad.buyer.key),
      () => confirm(keyed.orderId, keyed.buyer.key, key),
    ]);
    expect(codes(replies)).to.deep.equal(['completed', [500, 'internal_error'], 'completed']);
    const { transactions } = await transactionsOf([good.orderId, keyed.orderId]);
    expect(transactions).to.equal(2);
    await platform.query(damage, [bad.orderId]);
    expect(codes([await confirm(bad.orderId, bad.buyer.key)])).to.deep.equal(['completed']);
  });
});
