// test:all: a long model, beside the tests of its rules.
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { play, type Outcome, type Scene } from './simulation.ts';

const ALL = ['honest', 'careless', 'liar', 'liar in a ring'] as const;
const ONE_LIES = ['honest', 'honest', 'liar'] as const;
const RING = ['liar in a ring', 'liar in a ring', 'liar in a ring'] as const;

/**
 * A scene, and of each of its workers the answers that were paid of all it gave: right ones, wrong
 * ones. Of the units n, a careless worker has those right where n mod 5 is below 3: of the known
 * ones all.
 */
const PLAYED: readonly (Scene & { paid: readonly string[] })[] = [
  {
    verification: 'manual',
    poster: 'honest',
    workers: ALL,
    paid: ['5/5 0/0', '3/3 0/2', '0/0 0/5', '0/0 0/5'],
  },
  {
    // It was asked, and pays for what it does not look at.
    verification: 'manual',
    poster: 'does not judge',
    workers: ALL,
    paid: ['5/5 0/0', '3/3 2/2', '0/0 5/5', '0/0 5/5'],
  },
  {
    verification: 'manual',
    poster: 'cheats',
    workers: ALL,
    paid: ['5/5 0/0', '3/3 0/2', '0/0 0/5', '0/0 0/5'],
  },
  {
    verification: 'gold',
    poster: 'honest',
    workers: ALL,
    paid: ['8/8 0/0', '6/6 2/2', '0/0 0/8', '0/0 0/8'],
  },
  {
    verification: 'gold',
    poster: 'does not judge',
    workers: ALL,
    paid: ['8/8 0/0', '6/6 2/2', '0/0 0/8', '0/0 0/8'],
  },
  {
    verification: 'consensus',
    poster: 'honest',
    workers: ONE_LIES,
    paid: ['5/5 0/0', '5/5 0/0', '0/0 0/5'],
  },
  {
    verification: 'consensus',
    poster: 'cheats',
    workers: ONE_LIES,
    paid: ['5/5 0/0', '5/5 0/0', '0/0 0/5'],
  },
  {
    verification: 'consensus',
    poster: 'honest',
    workers: RING,
    paid: ['0/0 0/5', '0/0 0/5', '0/0 0/5'],
  },
  {
    // A ring costs a record of five right answers to this poster, for one of the three.
    verification: 'consensus',
    poster: 'honest',
    workers: RING,
    isKnown: true,
    paid: ['0/0 5/5', '0/0 5/5', '0/0 5/5'],
  },
];

const saysOf = (poster: string) => (poster === 'honest' ? 'is honest' : poster);
const shown = ({ right, wrong, paidRight, paidWrong }: Outcome) =>
  `${paidRight}/${right} ${paidWrong}/${wrong}`;

/** Rules that no poster and no worker can change. */
describe('labor of all kinds of workers and posters', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  for (const { paid, ...scene } of PLAYED) {
    const { verification, poster, workers, isKnown } = scene;
    const who = `${workers.join(', ')}${isKnown ? ', of a record' : ''}`;
    it(`by ${verification}, whose poster ${saysOf(poster)}: ${who}`, async () => {
      const { outcomes, readUnpaid } = await play(platform, scene);
      expect(outcomes.map(shown)).to.deep.equal(paid);
      expect(readUnpaid, 'answers read, not asked about and not paid').to.equal(0);
    });
  }

  it('pays who is right whatever its poster says is known', async () => {
    const { outcomes } = await play(platform, {
      verification: 'gold',
      poster: 'cheats',
      workers: ALL,
    });
    // Its known answers pay wrong ones too, by the order in which they are withdrawn.
    const paid = outcomes.slice(0, 2).map(({ right, paidRight }) => [paidRight, right]);
    expect(paid).to.deep.equal([
      [8, 8],
      [6, 6],
    ]);
  });
});
