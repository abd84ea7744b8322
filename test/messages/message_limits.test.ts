import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { asOwner } from '../as_owner.ts';
import { TestPlatform } from '../harness.ts';
import { act, expectRefusal, openDeal } from '../orders/deal.ts';
import { buy } from '../orders/trade.ts';
import { done, openTask } from '../tasks/board.ts';
import { GOODS, mailOf } from './mail.ts';

describe('messages', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { send, read } = mailOf(() => platform);

  it('are short, not empty, and about one thing', async () => {
    const { buyer, orderId: order_id } = await openDeal(platform);
    const task_id = await openTask(platform, buyer, { budget: 0.01 });
    for (const body of [
      { order_id, text: 'x'.repeat(4_001) },
      { order_id, text: ' \u200b' },
      { order_id, task_id },
      {},
    ]) {
      expectRefusal(await send(buyer, body), 422, 'validation_error');
    }
    done(await send(buyer, { order_id, text: 'ü'.repeat(4_000) }));
  });

  it('may be ten in a row without an answer', async () => {
    const { buyer, seller, orderId: order_id } = await openDeal(platform);
    const sendAll = (count: number) =>
      Promise.all(Array.from({ length: count }, () => send(buyer, { order_id })));
    expect((await sendAll(14)).map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal(
      [...Array<number>(10).fill(200), ...Array<number>(4).fill(409)],
    );
    done(await send(seller, { order_id }));
    const answered = (await read(buyer)).map(({ is_answered }) => is_answered);
    expect(answered).to.deep.equal([false, ...Array<boolean>(10).fill(true)]);
    done(await send(buyer, { order_id }));
  });

  it('of a tree are 30 a minute and 1 000 a day, exactly', async () => {
    const { buyer, seller, productId, orderId } = await openDeal(platform, GOODS);
    const child = await childOf(platform, buyer);
    const orders = [orderId];
    for (const by of [buyer, buyer, child]) {
      orders.push(await buy(platform, by, { id: productId }));
    }
    const replies = await Promise.all(
      orders.flatMap((order_id) => Array.from({ length: 9 }, () => send(buyer, { order_id }))),
    );
    expect(replies.filter(({ status }) => status === 200)).to.have.length(30);
    const refused = replies.find(({ status }) => status === 429)!;
    expect(refused.body.details).to.include({ limited_by: 'messages_a_minute', limit: 30 });
    expect(refused.body.details.retry_after_seconds).to.be.within(1, 60);
    expectRefusal(await send(child, { order_id: orders[3]! }), 429, 'rate_limited');
    done(await send(seller, { order_id: orderId }));

    await asOwner(platform, `update message set created_at = now() - interval '1 hour'`);
    await platform.query(
      `insert into message (order_id, sender_id, sender_root, sent_by, recipient_id, text,
                            created_at)
       select order_id, sender_id, sender_root, sent_by, recipient_id, text, created_at
         from (select * from message where sender_root = $1 limit 1) sent, generate_series(1, 970)`,
      [buyer.id],
    );
    const tooMany = await send(child, { order_id: orders[3]! });
    expect(tooMany.body.details).to.include({ limited_by: 'messages_a_day', limit: 1_000 });
    const seconds = tooMany.body.details.retry_after_seconds as number;
    expect(seconds).to.be.within(22 * 3_600, 23 * 3_600);
    expect(tooMany.headers.get('retry-after')).to.equal(String(seconds));
    await platform.query(
      'delete from message where id = (select max(id) from message where sender_root = $1)',
      [buyer.id],
    );
    done(await send(child, { order_id: orders[3]! }));
  });

  it('are possible for 30 days after the end', async () => {
    const deal = await openDeal(platform);
    const { buyer, seller, orderId: order_id } = deal;
    done(await act(platform, 'confirm_order', { orderId: order_id, key: buyer.key }));
    done(await send(buyer, { order_id }));
    const close = (days: number) =>
      platform.query(
        `update orders set closed_at = now() - make_interval(days => $2)
                       where id = $1`,
        [order_id, days],
      );
    await close(29);
    done(await send(seller, { order_id }));
    await close(30);
    for (const agent of [buyer, seller]) {
      expectRefusal(await send(agent, { order_id }), 409, 'invalid_transition');
    }
    expect(await read(seller, `?order_id=${order_id}`)).to.have.length(2);
  });
});
