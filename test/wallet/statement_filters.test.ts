import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import {
  insertTransfers,
  lockTreasuries,
  revenue,
  treasury,
} from '../../shared/domains/ledger/ledger.ts';
import { childOf } from '../agents/child.ts';
import { railOf } from '../deposits/paid_in.ts';
import { TestPlatform } from '../harness.ts';
import { buy, meet, type Agent } from '../orders/trade.ts';
import { done } from '../tasks/board.ts';
import { withoutTriggers } from '../plans/superuser.ts';
import { rollUp } from './reports/roll_up.ts';

interface Line {
  created_at: string;
  kind: string;
  amount: number;
  balance_after: number;
  agent_id: number | null;
  counterparty_id: number | null;
}

describe('wallet_statement, filtered', () => {
  let platform: TestPlatform;
  let buyer: Agent;
  let seller: Agent;
  let child: Agent;
  before(async () => {
    platform = await TestPlatform.open();
    const met = await meet(platform, { usd: 20, price: 1, items: ['a', 'b', 'c'] });
    ({ buyer, seller } = met);
    child = (await childOf(platform, buyer)) as Agent;
    await buy(platform, buyer, met.product);
    const order = await buy(platform, child, met.product);
    done(await platform.request(`POST /api/v1/orders/${order}/confirm`, { key: child.key }));
    const other = await platform.product(await platform.agent(), { price: 2 });
    await buy(platform, buyer, other);
  });
  after(() => platform.close());

  const ask = ({ key }: { key: string }, query: Record<string, unknown> = {}) => {
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
    ).toString();
    return platform.request(`GET /api/v1/wallet/statement?${text}`, { key });
  };
  /** All that moved so far moved so many days earlier. */
  const shift = (days: number) =>
    withoutTriggers(
      platform,
      `alter table ledger.transfer disable trigger append_only;
       update ledger.transfer set created_at = created_at - interval '${days} days';
       alter table ledger.transfer enable always trigger append_only`,
    );
  const linesOf = async (agent: { key: string }, query = {}): Promise<Line[]> =>
    done(await ask(agent, query)).entries;
  const amounts = (lines: Line[]) => lines.map(({ kind, amount }) => [kind, amount]);

  it('says which agent moved it, and with whom', async () => {
    const lines = await linesOf(buyer);
    expect(lines.map((line) => [line.kind, line.agent_id, line.counterparty_id])).to.deep.equal([
      ['order.hold', buyer.id, lines[0]!.counterparty_id],
      ['order.hold', child.id, seller.id],
      ['order.hold', buyer.id, seller.id],
      ['deposit', null, null],
      ['welcome', null, null],
    ]);
    const [sold] = await linesOf(seller);
    expect(sold).to.include({ agent_id: seller.id, counterparty_id: child.id });
  });

  it('shows the same lines with the same balances, and fewer of them', async () => {
    const all = await linesOf(buyer);
    const like = (test: (line: Line) => boolean) => all.filter(test);
    expect(await linesOf(buyer, { kind: 'order.hold' })).to.deep.equal(all.slice(0, 3));
    expect(await linesOf(buyer, { kind: 'order.*' })).to.deep.equal(all.slice(0, 3));
    expect(await linesOf(buyer, { kind: 'deposit.*' })).to.deep.equal([all[3]]);
    expect(await linesOf(buyer, { kind: 'order' })).to.deep.equal([]);
    expect(await linesOf(buyer, { agent_id: child.id })).to.deep.equal(
      like(({ agent_id }) => agent_id === child.id),
    );
    const both = { agent_id: buyer.id, counterparty_id: seller.id };
    expect(await linesOf(buyer, both)).to.deep.equal(
      like(({ counterparty_id }) => counterparty_id === seller.id),
    );
    expect(await linesOf(buyer, { counterparty_id: 2_000_000_000 })).to.deep.equal([]);
    const first = await ask(buyer, { kind: 'order.*', limit: 2 });
    const cursor = first.body.next_cursor;
    const rest = done(await ask(buyer, { kind: 'order.*', limit: 2, cursor }));
    expect([...first.body.entries, ...rest.entries]).to.deep.equal(all.slice(0, 3));
  });

  it('takes no balance from a cursor: another agent may have got it, or made it up', async () => {
    const all = await linesOf(buyer);
    const { next_cursor: cursor } = done(await ask(buyer, { limit: 2 }));
    const [held, list] = cursor.split('=');
    const [below, balance] = Buffer.from(held!, 'base64url').toString().split(':');
    expect(Number(balance) / 1e6).to.be.closeTo(all[2]!.balance_after, 1e-9);
    for (const text of [`${below}:999000000`, below!]) {
      const made = `${Buffer.from(text).toString('base64url')}=${list}`;
      expect(await linesOf(buyer, { cursor: made })).to.deep.equal(all.slice(2));
    }
    const sold = await linesOf(seller);
    expect(sold.length).to.be.above(0);
    // The seller's lines that are older than the buyer's second.
    const older = await linesOf(seller, { cursor });
    expect(older).to.deep.equal(sold.slice(sold.length - older.length));
  });

  it('shows a period with the balances that were then', async () => {
    const { buyer: owner, product } = await meet(platform, { usd: 9, items: ['a', 'b', 'c'] });
    await buy(platform, owner, product);
    await shift(3);
    await buy(platform, owner, product);
    await shift(2);
    await buy(platform, owner, product);
    const all = await linesOf(owner);
    // Five days ago, two days ago, and now.
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
    expect(await linesOf(owner, { from: day(1) })).to.deep.equal(all.slice(0, 1));
    expect(await linesOf(owner, { from: day(3), to: day(1) })).to.deep.equal(all.slice(1, 2));
    expect(await linesOf(owner, { to: day(1) })).to.deep.equal(all.slice(1));
    expect(await linesOf(owner, { to: day(30) })).to.deep.equal([]);
    expect(await linesOf(owner, { from: day(-1) })).to.deep.equal([]);
    expect(done(await ask(owner, { from: day(1) })).has_more).to.equal(false);
  });

  it('begins a period with what moved at its first moment, and ends it before its last', async () => {
    const all = await linesOf(buyer);
    const { created_at: at } = all[1]!;
    const of = (test: (line: Line) => boolean) => all.filter(test);
    expect(await linesOf(buyer, { from: at })).to.deep.equal(of((line) => line.created_at >= at));
    expect(await linesOf(buyer, { to: at })).to.deep.equal(of((line) => line.created_at < at));
  });

  /** Makes transfers that take a micro-dollar each, the first ones credit. */
  let refs = 7_000_000;
  const payOften = (agent: { id: number }, count: number, credits = 0) =>
    railOf(() => platform).inTx(async (tx) => {
      await lockTreasuries(tx.db, [agent.id]);
      const transfers = Array.from({ length: count }, (_, n) => ({
        kind: 'email.charge' as const,
        ref: (refs += 1),
        from: treasury(agent.id),
        to: revenue('email'),
        credit: n < credits ? 1n : 0n,
        cash: n < credits ? 0n : 1n,
      }));
      await insertTransfers(tx, transfers);
    });

  it('knows what a balance was long ago from those that were kept, and without', async () => {
    const agent = await platform.agent({ usd: 1 });
    const kept = async () => {
      const [{ count }] = await platform.query(
        'select count(*)::int as count from past_balance where root_id = $1',
        [agent.id],
      );
      return count as number;
    };
    const before: number[] = [0];
    // The hash chooses one of 64, so that of 1 200 none would be chosen once in 10^8 runs.
    for (const part of [1_200, 1_200]) {
      await payOften(agent, part, 600);
      await shift(3);
      await rollUp(platform);
      before.push(await kept());
    }
    expect(before[1]).to.be.above(before[0]!);
    expect(before[2]).to.be.above(before[1]!);
    await payOften(agent, 30);
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
    const held = async (to?: string) =>
      (await linesOf(agent, { limit: 1, ...(to && { to }) }))[0]!.balance_after;
    for (const [ago, paid] of [
      [5, 1_200],
      [1, 2_400],
      [-1, 2_430],
    ] as const) {
      expect(await held(day(ago)), `${ago} days ago`).to.equal((1_500_000 - paid) / 1e6);
    }
    expect(await held()).to.equal(1.49757);
    const differences = await audit(platform.context.database);
    expect(differences.filter(({ proof }) => proof.startsWith('each past'))).to.deep.equal([]);
  });

  it('looks through so many a call, and goes on where it stopped', async () => {
    const agent = await platform.agent({ usd: 1 });
    await payOften(agent, 2_100);
    const first = done(await ask(agent, { kind: 'deposit' }));
    expect([first.count, first.has_more]).to.deep.equal([0, true]);
    const rest = done(await ask(agent, { kind: 'deposit', cursor: first.next_cursor }));
    expect([amounts(rest.entries), rest.has_more]).to.deep.equal([[['deposit', 1]], false]);
    expect(rest.entries[0].balance_after).to.equal(1.5);
  });

  it('tells a child of its owner what moved, and not with whom', async () => {
    const lines = await linesOf(child);
    expect(amounts(lines)).to.deep.equal(amounts(await linesOf(buyer)));
    expect(lines.map(({ agent_id }) => agent_id)).to.deep.equal([null, child.id, null, null, null]);
    expect(lines[2]!.counterparty_id).to.equal(null);
    expect(await linesOf(child, { counterparty_id: seller.id })).to.have.length(1);
    for (const agent_id of [buyer.id, seller.id, 2_000_000_000]) {
      expect((await ask(child, { agent_id })).body.error).to.equal('not_found');
    }
  });

  it('refuses what is no time and no kind', async () => {
    for (const query of [{ from: 'yesterday' }, { to: '2026-13-01T00:00:00Z' }, { kind: 'O.*' }]) {
      expect((await ask(buyer, query)).body.error, JSON.stringify(query)).to.equal(
        'validation_error',
      );
    }
  });
});
