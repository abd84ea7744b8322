import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { buy, fallDue, meet, runTimer } from '../orders/trade.ts';

interface Line {
  entry_id: string;
  kind: string;
  amount: number;
  balance_after: number;
  ref: { kind: string; id: string };
}

describe('wallet_statement', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const page = (key: string | undefined, query = '') =>
    platform.request(`GET /api/v1/wallet/statement${query}`, { key });

  /** All lines, newest first, by pages of this length. */
  async function readAll(key: string, limit: number): Promise<Line[]> {
    const lines: Line[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await page(key, `?limit=${limit}${cursor && `&cursor=${cursor}`}`);
      expect(body.count).to.equal(body.entries.length);
      expect(body.has_more).to.equal(body.next_cursor !== null);
      lines.push(...body.entries);
      cursor = body.next_cursor;
    }
    return lines;
  }

  const micros = (usd: number) => Math.round(usd * 1e6);

  it('lists what came in and what went out, each with what it was for', async () => {
    const { buyer, seller, product } = await meet(platform, { usd: 5, price: 1 });
    const id = await buy(platform, buyer, product);
    await fallDue(platform, id);
    await runTimer(platform, 'release_due_orders');

    const shown = (lines: Line[]) =>
      lines.map(({ kind, amount, balance_after, ref }) => [kind, amount, balance_after, ref.kind]);
    expect(shown(await readAll(buyer.key, 20))).to.deep.equal([
      ['order.hold', -1.1, 4.4, 'order'],
      ['deposit', 5, 5.5, 'deposit'],
      ['welcome', 0.5, 0.5, 'agent'],
    ]);
    const [earned, welcome] = await readAll(seller.key, 20);
    expect(earned).to.deep.include({
      kind: 'order.release',
      amount: 1,
      balance_after: 1.5,
      ref: { kind: 'order', id: String(id) },
      description: `Earned by order ${id}`,
    });
    expect(welcome).to.include({ kind: 'welcome', amount: 0.5, balance_after: 0.5 });
  });

  it('adds up at every line, from nothing to what the wallet shows, however it is paged', async () => {
    const fields = { stock_kind: 'unlimited', content: 'all', price: 0.012345 };
    const { buyer, product } = await meet(platform, { usd: 2, ...fields });
    await Promise.all(Array.from({ length: 24 }, () => buy(platform, buyer, product)));
    await platform.fund(buyer.id, 0.000007);

    const lines = await readAll(buyer.key, 100);
    expect(lines).to.have.length(27);
    let balance = micros(await platform.balance(buyer));
    for (const { amount, balance_after } of lines) {
      expect(micros(balance_after)).to.equal(balance);
      balance -= micros(amount);
    }
    expect(balance).to.equal(0);
    for (const limit of [1, 4, 26, 27]) {
      expect(await readAll(buyer.key, limit), `by ${limit}`).to.deep.equal(lines);
    }
  });

  it('keeps its deep pages while new entries come in', async () => {
    const fields = { stock_kind: 'unlimited', content: 'all', price: 0.01 };
    const { buyer, product } = await meet(platform, fields);
    for (let n = 0; n < 3; n += 1) await buy(platform, buyer, product);
    const { body: first } = await page(buyer.key, '?limit=2');
    const query = `?limit=2&cursor=${first.next_cursor}`;
    const before = await page(buyer.key, query);
    await buy(platform, buyer, product);
    await platform.fund(buyer.id, 1);
    expect((await page(buyer.key, query)).text).to.equal(before.text);
  });

  it("shows a child its owner's, and no tree another's", async () => {
    const { buyer, seller, product } = await meet(platform, { usd: 5, price: 1 });
    const child = await childOf(platform, buyer);
    await buy(platform, child, product);
    const owners = await page(buyer.key);
    expect(owners.body.count).to.equal(3);
    expect((await page(child.key)).text).to.equal(owners.text);
    expect((await page(seller.key)).body.count).to.equal(1);
    // A cursor of one tree is no way into another.
    const { body } = await page(buyer.key, '?limit=1');
    const theirs = await page(seller.key, `?cursor=${body.next_cursor}`);
    const refs = theirs.body.entries.map(({ ref }: Line) => ref.id);
    expect(refs.filter((id: string) => id !== String(seller.id))).to.deep.equal([]);
  });

  it('refuses other cursors and limits, and keys without read', async () => {
    const { buyer } = await meet(platform);
    for (const query of ['?limit=0', '?limit=101', '?cursor=x', '?from=1']) {
      const { status, body } = await page(buyer.key, query);
      expect([status, body.error], query).to.deep.equal([422, 'validation_error']);
    }
    const key = await platform.keyOf(buyer, ['buy', 'sell']);
    expect((await page(key)).body.error).to.equal('insufficient_scope');
    expect((await page(undefined)).body.error).to.equal('authentication_required');
  });
});
