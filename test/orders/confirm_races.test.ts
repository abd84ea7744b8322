import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { act } from './deal.ts';
import { gatheredConfirmations } from './gathered_confirmations.ts';
import { buy, fallDue, runTimer } from './trade.ts';

describe('confirmations of trees that buy from each other', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const { confirm } = gatheredConfirmations(() => platform);

  it('never deadlock, and end each order once, while refunds and timers run too', async function () {
    this.timeout(60_000);
    const agents = await Promise.all([1, 2, 3, 4].map(() => platform.agent({ usd: 50 })));
    const fields = { price: 0.1, stock_kind: 'counted', content: 'open', quantity: 100 };
    const products = await Promise.all(agents.map((agent) => platform.product(agent, fields)));
    const orders: { id: number; key: string; seller: string }[] = [];
    for (const buyer of [...agents, ...agents, ...agents, ...agents]) {
      for (const [s, product] of products.entries()) {
        const seller = agents[s]!;
        if (seller === buyer) continue;
        const id = await buy(platform, buyer, product);
        orders.push({ id, key: buyer.key, seller: seller.key });
      }
    }
    await fallDue(platform, ...orders.map(({ id }) => id));
    const calls = orders.flatMap(({ id, key, seller }) => [
      () => confirm(id, key),
      () => confirm(id, key, randomUUID()),
      () => act(platform, 'refund_order', { orderId: id, key: seller }),
    ]);
    calls.sort(() => Math.random() - 0.5);
    const [replies] = await Promise.all([
      Promise.all(calls.map((call) => call())),
      runTimer(platform, 'release_due_orders'),
    ]);
    for (const { status } of replies) expect(status).to.be.oneOf([200, 409]);
    const [{ deadlocks }] = await platform.query(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    );
    expect(deadlocks).to.equal(0);
    const ids = orders.map(({ id }) => id);
    const [{ open, ended }] = await platform.query(
      `select count(*) filter (where closed_at is null)::int as open,
              (select count(*)::int from event where type in ('order.completed', 'order.refunded')
                  and object_kind = 'order' and object_id = any ($1)) as ended
         from orders where id = any ($1)`,
      [ids],
    );
    expect({ open, ended }).to.deep.equal({ open: 0, ended: 2 * ids.length });
    const won = replies.filter(({ status }) => status === 200).length;
    expect(won).to.be.at.most(ids.length);
  });
});
