// test:all: a long model, beside the tests of its rules.
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { play, type Outcome, type Scene } from './simulation.ts';

/** Rings with the same cash, in more and more trees. */
const RINGS: readonly Scene[] = [1, 2, 5, 10].map((buyers) => ({
  buyers,
  cash: 22,
  price: 1,
  isRing: true,
}));
/** Buyers of other owners: each pays for as much as a dollar of fees buys, or for a tenth of it. */
const HONEST: readonly Scene[] = [
  { buyers: 20, cash: 20 * 11, price: 10, isRing: false },
  { buyers: 20, cash: 20 * 1.1, price: 1, isRing: false },
];

const lineOf = ({ buyers, cash, isRing, takesCredit }: Scene, found: Outcome): string =>
  `${isRing ? 'ring of' : 'honest,'} ${buyers} buyers with $${cash.toFixed(2)}` +
  `${takesCredit ? ' and credit' : ''}: paid $${found.burned.toFixed(2)} of fees for ` +
  `${found.units} units; level ${found.level}, $${found.score.toFixed(2)} counted, ` +
  `${found.established} of ${found.buyers} buyers established`;

describe('records of rings and of honest sellers', () => {
  let platform: TestPlatform;
  const rings: Outcome[] = [];
  const honest: Outcome[] = [];
  const lines: string[] = [];
  const playAll = async (scenes: readonly Scene[], into: Outcome[]) => {
    for (const scene of scenes) {
      const found = await play(platform, scene);
      into.push(found);
      lines.push(lineOf(scene, found));
    }
  };

  before(async () => {
    platform = await TestPlatform.open();
    await playAll(RINGS, rings);
    await playAll(HONEST, honest);
  });
  after(async () => {
    console.log(lines.map((line) => `      ${line}`).join('\n'));
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('count no more than was paid in fees, which is gone', () => {
    for (const [n, { burned, score, established }] of [...rings, ...honest].entries()) {
      expect(score, lines[n]).to.be.at.most(burned);
      expect(established, lines[n]).to.be.at.most(burned / 0.1 + 1e-9);
    }
  });

  it('count all of that, of honest sellers too', () => {
    for (const { burned, score, established, buyers } of honest) {
      expect(score).to.be.closeTo(burned, 1e-3);
      expect(established).to.equal(buyers);
    }
  });

  it('are no better for a ring of more trees with the same money', () => {
    const [one, ...split] = rings;
    for (const { score, level, burned } of split) {
      expect(score).to.be.at.most(one!.score + 1e-6);
      expect(burned).to.be.at.most(one!.burned + 1e-6);
      expect(level).to.be.at.most(one!.level);
    }
  });

  it('cost a ring the fees of as many honest sales', () => {
    const [good] = honest;
    const best = Math.max(...rings.map(({ score, burned }) => score / burned));
    expect(best).to.be.at.most(good!.score / good!.burned + 1e-3);
    // All the cash of a ring buys nine tenths of it in fees at most: it trades until it is gone.
    for (const { burned, units } of rings) expect(burned).to.be.closeTo(units * 0.1, 1e-6);
  });

  it('weigh nothing that welcome credit has paid', async () => {
    const scene = { buyers: 20, cash: 0, price: 0.4, isRing: true, takesCredit: true } as const;
    const found = await play(platform, scene);
    lines.push(lineOf(scene, found));
    expect(found).to.deep.include({ burned: 0, score: 0, established: 0, level: 0, buyers: 20 });
  });
});
