import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';

import { turnToRead } from '../../../api/http/bodies/large_bodies.ts';

const LARGE = 250_000;
const WORK_MS = 20;

describe('a large body', () => {
  function work(): void {
    const until = performance.now() + WORK_MS;
    while (performance.now() < until);
  }
  async function read(holder: number, bytes: number): Promise<number> {
    await turnToRead(holder, bytes);
    const from = performance.now();
    work();
    return from;
  }

  it('of one sender is read when the process had as much time for others', async () => {
    const begun = await Promise.all([1, 2, 3, 4].map(() => read(7, LARGE)));
    begun.slice(1).forEach((from, n) => {
      expect(from - begun[n]!).to.be.at.least(2 * WORK_MS - 1);
    });
  });

  it('of somebody else is read meanwhile, and so are small ones', async () => {
    const ends: string[] = [];
    const note = (name: string) => () => void ends.push(name);
    const first = read(1, LARGE).then(note('first'));
    const second = read(1, LARGE).then(note('second'));
    const other = read(2, LARGE).then(note('other'));
    const small = Promise.all([1, 2, 3].map(() => read(1, 1_000))).then(note('small'));
    await Promise.all([first, second, other, small]);
    expect(ends.at(-1)).to.equal('second');
    expect(ends).to.have.length(4);
  });

  it('is refused where a hundred wait, those of the sender with most first', async () => {
    const refused: unknown[] = [];
    const many = Array.from({ length: 110 }, () =>
      turnToRead(1, LARGE).catch((error: { code: string }) => void refused.push(error.code)),
    );
    const other = Promise.all([turnToRead(2, LARGE), turnToRead(2, LARGE)]);
    await nextTurn();
    await other;
    await Promise.all(many);
    expect(refused.length).to.be.within(9, 12);
    expect(new Set(refused)).to.deep.equal(new Set(['queue_overloaded']));
  });
});
