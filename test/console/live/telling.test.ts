import { expect } from 'chai';

import { openTelling } from '../../../api/console/live/change_notifier.ts';

describe('pages that are told of changes', () => {
  const settings = { perTurn: 2, pauseMs: 1_000, pauseMsMax: 8_000 };

  function open(pages: number, { holders = 1, kinds = undefined as string[] | undefined } = {}) {
    let now = 0;
    const telling = openTelling({ ...settings, elapsedMs: () => now });
    const told: { page: number; at: number; kinds: readonly string[]; look: number }[] = [];
    const leaving = Array.from({ length: pages }, (_, page) =>
      telling.join(page % holders, {
        kinds: kinds && new Set(kinds),
        tell: (found, look) => told.push({ page, at: now, kinds: found, look }),
      }),
    );
    /** `each` happens every so many ms; ten turns a second are taken. */
    function pass(ms: number, each: (at: number) => void = () => undefined): void {
      for (const end = now + ms; now < end; now += 100) {
        each(now);
        telling.turn();
      }
    }
    return { telling, told, leaving, pass };
  }

  it('are told of the first change at once, and of what follows after longer pauses', () => {
    const { telling, told, pass } = open(1);
    pass(60_000, (at) => telling.change(0, ['order'], at));
    const times = told.map(({ at }) => at);
    expect(times.slice(0, 5)).to.deep.equal([0, 1_000, 3_000, 7_000, 15_000]);
    expect(times).to.have.lengthOf(10);
    // After rest the next is told at once again.
    pass(30_000);
    const before = told.length;
    telling.change(0, ['order'], 1);
    pass(100);
    expect(told).to.have.lengthOf(before + 1);
  });

  it('are told of the last change too, and of all its kinds', () => {
    const { telling, told, pass } = open(1);
    telling.change(0, ['order'], 1);
    pass(200);
    telling.change(0, ['task'], 2);
    telling.change(0, ['wallet', 'order'], 3);
    pass(20_000);
    expect(told.map(({ kinds, look }) => [kinds, look])).to.deep.equal([
      [['order'], 1],
      [['task', 'wallet', 'order'], 3],
    ]);
  });

  it('are told few at a time, those of one holder of the same look', () => {
    const { telling, told, pass } = open(100);
    let look = 0;
    pass(10_000, () => telling.change(0, ['order'], (look += 1)));
    expect(told).to.have.lengthOf(100);
    expect(new Set(told.map((one) => one.page)).size).to.equal(100);
    expect(new Set(told.map((one) => one.look))).to.deep.equal(new Set([1]));
    // However much happens, a minute costs a known number of pages.
    pass(60_000, () => telling.change(0, ['order'], (look += 1)));
    expect(told.length).to.be.within(600, 700);
    pass(20_000);
    expect(told.at(-1)!.look).to.equal(look);
  });

  it('wait for no more than one page of each other holder', () => {
    const { telling, told, pass } = open(51, { holders: 50 });
    for (let holder = 0; holder < 50; holder += 1) telling.change(holder, ['order'], 1);
    pass(2_500);
    expect(new Set(told.slice(0, 50).map(({ page }) => page % 50)).size).to.equal(50);
  });

  it('are told nothing that they do not show, nor when they are closed', () => {
    const { telling, told, leaving, pass } = open(3, { kinds: ['order'] });
    telling.change(0, ['task'], 1);
    telling.change(7, ['order'], 1);
    pass(1_000);
    expect(told).to.deep.equal([]);
    telling.change(0, ['task', 'order'], 2);
    leaving[1]!();
    pass(3_000);
    expect(told.map(({ page, kinds }) => [page, kinds])).to.deep.equal([
      [0, ['order']],
      [2, ['order']],
    ]);
    leaving.forEach((leave) => leave());
    expect([...telling.holders()]).to.deep.equal([]);
  });
});
