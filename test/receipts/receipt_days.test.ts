import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { BLOCK, leafOf, pathOf, rootOf, sha256 } from '../../shared/domains/receipts/hash_tree.ts';
import { TestPlatform } from '../harness.ts';
import { act, expectRefusal, openDeal } from '../orders/deal.ts';
import { done } from '../tasks/board.ts';
import { rollUp } from '../wallet/reports/roll_up.ts';
import { hashOf, receiptOf, receiptsOf, verified } from './receipt_book.ts';
import { issueAt as issueAtTime } from './close_today.ts';
import { rootFrom } from './root_from.ts';

const DAY_MS = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

describe('days of receipts', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
    noon = Date.parse(`${dayOf(platform.context.clock.now().getTime())}T12:00:00Z`);
  });
  afterEach(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });
  after(() => platform.close());

  /** Noon of the day on which the test began. */
  let noon: number;
  const issueAt = (ms: number) => issueAtTime(platform, ms);
  const dayAsked = (day: string) => platform.request(`GET /api/v1/receipts/days/${day}`);
  const sell = async () => {
    const { buyer, orderId } = await openDeal(platform);
    await act(platform, 'confirm_order', { orderId, key: buyer.key });
    await rollUp(platform);
    return { buyer, orderId };
  };

  it('are signed when they are over, follow one another, and prove what is in them', async () => {
    await platform.query('update receipt_watermark set open_day = $1', [dayOf(noon - DAY_MS)]);
    await issueAt(noon);
    const { buyer, orderId } = await sell();
    await issueAt(noon);
    await issueAt(noon + 3_600_000);
    await issueAt(noon + DAY_MS / 2 - 1);
    expectRefusal(await dayAsked(dayOf(noon)), 404, 'not_found');
    await issueAt(noon + DAY_MS / 2);

    const empty = done(await dayAsked(dayOf(noon - DAY_MS)));
    expect(empty).to.include({ count: 0, first_receipt_id: 1, root_hash: hashOf('') });
    expect(await verified(platform, empty.signed)).to.deep.include({ previous: null, count: 0 });
    const today = done(await dayAsked(dayOf(noon)));
    expect(today.sha256).to.equal(hashOf(today.signed));
    expect(await verified(platform, today.signed)).to.deep.include({
      day: dayOf(noon),
      first_receipt_id: 1,
      count: today.count,
      root_hash: today.root_hash,
      previous: empty.sha256,
    });
    for (const { receipt_id, receipt } of await receiptsOf(platform, buyer)) {
      const { inclusion } = done(
        await platform.request(`GET /api/v1/receipts/${receipt_id}`, buyer),
      );
      expect(inclusion).to.include({ day: dayOf(noon), count: today.count, index: receipt_id - 1 });
      const path = inclusion.path.map((hash: string) => Buffer.from(hash, 'hex'));
      const leaf = leafOf(sha256(receipt));
      expect(rootFrom(leaf, { ...inclusion, path }).toString('hex')).to.equal(today.root_hash);
    }
    expect((await receiptOf(platform, buyer, 'order', orderId)).receipt_id).to.be.below(
      today.count + 1,
    );
  });

  it('take no receipt any more once they are closed, whatever a clock says', async () => {
    const { buyer, orderId } = await sell();
    await issueAt(noon - DAY_MS); // The clock of that machine is behind.
    const { receipt } = await receiptOf(platform, buyer, 'order', orderId);
    const issued_at = `${dayOf(noon + DAY_MS)}T00:00:00.000Z`;
    expect(await verified(platform, receipt)).to.include({ issued_at });
  });

  it('are closed once, also those on which nothing ran', async () => {
    const { buyer } = await sell();
    const later = noon + 3 * DAY_MS;
    await Promise.all([later, later + 1, later + 2].map(issueAt));
    const days: { signed: string; sha256: string; count: number }[] = [];
    for (const ms of [noon, noon + DAY_MS, noon + 2 * DAY_MS]) {
      days.push(done(await dayAsked(dayOf(ms))));
    }
    const said = await Promise.all(days.map(({ signed }) => verified(platform, signed)));
    expect(said.slice(1)).to.have.deep.members(
      said.slice(1).map((one, n) => ({ ...one, previous: days[n]!.sha256 })),
    );
    expect(days.at(-1)).to.include({ count: 0 });
    expectRefusal(await dayAsked(dayOf(later)), 404, 'not_found');
    expect(await receiptsOf(platform, buyer)).to.have.length(2);
  });

  it('are asked for by a day', async () => {
    for (const day of ['2027-02-30', 'yesterday!', '2027-1-310', '2027/01/31']) {
      const { status, body } = await dayAsked(encodeURIComponent(day));
      expect([status, body.error, body.details.fields[0].pointer], day).to.deep.equal([
        422,
        'validation_error',
        '/day',
      ]);
    }
    expectRefusal(await dayAsked('2020-01-01'), 404, 'not_found');
  });
});

describe('the hash tree of a day', () => {
  const leaves = (count: number) =>
    Array.from({ length: count }, (_, n) => leafOf(sha256(`receipt ${n}`)));

  it('is that of RFC 9162', () => {
    // The empty tree, and a tree of one empty leaf.
    expect(rootOf([]).toString('hex')).to.equal(hashOf(''));
    expect(leafOf(Buffer.alloc(0)).toString('hex')).to.equal(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
  });

  it('has the same root by blocks as by leaves, and a path from each leaf', () => {
    for (const count of [1, 2, 3, 7, 8, 100, BLOCK, BLOCK + 1, 3 * BLOCK, 4 * BLOCK + 5]) {
      const all = leaves(count);
      const root = rootOf(all);
      const blocks = Array.from({ length: Math.ceil(count / BLOCK) }, (_, n) =>
        rootOf(all.slice(n * BLOCK, (n + 1) * BLOCK)),
      );
      expect(rootOf(blocks)).to.deep.equal(root);
      for (const index of new Set([0, 1, Math.floor(count / 2), count - 1])) {
        if (index >= count) continue;
        const block = Math.floor(index / BLOCK);
        const inBlock = all.slice(block * BLOCK, (block + 1) * BLOCK);
        const path = [...pathOf(inBlock, index % BLOCK), ...pathOf(blocks, block)];
        expect(rootFrom(all[index]!, { index, count, path })).to.deep.equal(root);
        expect(rootFrom(leafOf(sha256('other')), { index, count, path })).to.not.deep.equal(root);
      }
    }
  });
});
