import { expect } from 'chai';

import { orderOf } from '../../bench/measure/order.ts';
import { RATIOS, verdictOf } from '../../bench/ratios.ts';

describe('npm run bench', () => {
  it('measures every side once in a round, and each after each other one in turn', () => {
    const count = 24;
    const followed = new Map<string, number>();
    for (let round = 0; round < count; round += 1) {
      const order = orderOf(count, round);
      expect(order.toSorted((a, b) => a - b)).to.deep.equal(Array.from(order.keys()));
      order.slice(1).forEach((side, n) => {
        const pair = `${order[n]} ${side}`;
        followed.set(pair, (followed.get(pair) ?? 0) + 1);
      });
    }
    expect(followed.size).to.equal(count * (count - 1));
    expect(new Set(followed.values())).to.deep.equal(new Set([1]));
    expect(orderOf(3, 1)).to.have.members([0, 1, 2]);
    expect(orderOf(3, 1)).to.not.deep.equal(orderOf(3, 0));
  });

  it('judges by the quartiles of the rounds, not by one median', () => {
    const high = (...values: number[]) => verdictOf({ floor: 1, goal: 2 }, values);
    expect(high(2, 2, 2, 2, 9)).to.equal('goal');
    expect(high(1.9, 1.9, 2.5, 2.5, 2.5)).to.equal('floor');
    expect(high(0.9, 0.9, 1.5, 1.5, 1.5)).to.equal('unclear');
    expect(high(0.1, 0.8, 0.9, 0.9, 9)).to.equal('missed');
    const low = (...values: number[]) => verdictOf({ floor: 2, goal: 1 }, values);
    expect(low(1, 1, 1, 1, 9)).to.equal('goal');
    expect(low(0.5, 0.5, 0.5, 1.1, 1.1)).to.equal('floor');
    expect(low(1, 1, 1.5, 2.1, 2.1)).to.equal('unclear');
    expect(low(0.1, 2.1, 2.1, 3, 3)).to.equal('missed');
  });

  it('has a goal beyond each floor, and one number for each ratio', () => {
    for (const { says, floor, goal } of RATIOS) expect(floor, says).to.not.equal(goal);
    const numbers = RATIOS.map(({ number }) => number);
    expect(new Set(numbers).size).to.equal(numbers.length);
  });
});
