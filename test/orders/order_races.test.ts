import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform, type Reply } from '../harness.ts';
import { act, newsOf, openDeal, orderAs, walletsOf } from './deal.ts';
import type { Action, Deal } from './deal.ts';
import { fallDue, runTimer } from './trade.ts';

describe('an order that everybody pulls at', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const PAID = { escrow: [0.5, 4.4], completed: [1.5, 4.4], refunded: [0.5, 5.5] };

  /** A hundred calls at once; how often each kind of them had its way. */
  async function pull({ orderId, buyer, seller }: Deal) {
    const calls: [string, () => Promise<unknown>][] = [];
    const call = (name: string, action: Action, { key }: { key: string }) =>
      calls.push([name, () => act(platform, action, { orderId, key })]);
    for (let n = 0; n < 20; n += 1) {
      call('confirmed', 'confirm_order', buyer);
      call('refunded by the seller', 'refund_order', seller);
      call('refunded by the buyer', 'refund_order', buyer);
      call('disputed', 'dispute_order', buyer);
      calls.push(['released', () => runTimer(platform, 'release_due_orders')]);
    }
    // A different call is sent first each time.
    calls.sort(() => Math.random() - 0.5);
    const replies = await Promise.all(calls.map(([, ask]) => ask()));
    const won: { [name: string]: number } = {};
    replies.forEach((reply, n) => {
      const [name] = calls[n]!;
      if (name !== 'released') expect((reply as Reply).status).to.be.oneOf([200, 409]);
      const hits = name === 'released' ? 0 : Number((reply as Reply).status === 200);
      won[name] = (won[name] ?? 0) + hits;
    });
    return won;
  }

  for (const due of [false, true]) {
    it(`comes to one end, ${due ? 'when its release is due' : 'before its release'}`, async function () {
      this.timeout(60_000);
      for (let round = 0; round < 4; round += 1) {
        const deal = await openDeal(platform);
        const { orderId, buyer, seller } = deal;
        if (due) await fallDue(platform, orderId);

        const won = await pull(deal);

        const { status } = await orderAs(platform, buyer, orderId);
        const [, ...news] = await newsOf(platform, buyer, orderId);
        const disputed = won.disputed === 1;
        expect(won.disputed, 'disputes').to.equal(disputed ? 1 : 0);
        if (due) expect(disputed).to.equal(false);
        const ended = status === 'disputed' ? [] : [`order.${status}`];
        expect(news).to.deep.equal([...(disputed ? ['order.disputed'] : []), ...ended]);
        const asked =
          won.confirmed! + won['refunded by the seller']! + won['refunded by the buyer']!;
        expect(asked).to.be.at.most(ended.length);
        if (asked === 0 && ended.length === 1)
          expect([status, due]).to.deep.equal(['completed', true]);

        const wallets = await walletsOf(platform, seller, buyer);
        const paid = wallets.map(({ cash, credit }) => Number((cash + credit).toFixed(6)));
        expect(paid).to.deep.equal(
          PAID[status === 'disputed' ? 'escrow' : (status as keyof typeof PAID)],
        );
        expect(wallets[1]!.in_escrow).to.equal(status === 'disputed' ? 1.1 : 0);
      }
    });
  }
});
