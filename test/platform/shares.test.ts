import { expect } from 'chai';

import { openFairQueue } from '../../shared/platform/shares/fair_queue.ts';
import { openShares } from '../../shared/platform/shares/shares.ts';
import { openTurns } from '../../shared/platform/shares/turns.ts';

describe('shares', () => {
  const acquireAll = (shares: ReturnType<typeof openShares>, holder: string) => {
    let n = 0;
    while (shares.acquire(holder)) n += 1;
    return n;
  };

  it('leave one that is alone almost all, and others some of what is free', () => {
    const shares = openShares(300, 8);
    expect(acquireAll(shares, 'first')).to.equal(267);
    expect(acquireAll(shares, 'second')).to.equal(30);
    expect(acquireAll(shares, 'third')).to.equal(3);
    expect(shares.isFree('fourth')).to.equal(false);
  });

  it('take back from the first what others need, as it gives back', () => {
    const shares = openShares(90, 2);
    expect(acquireAll(shares, 'first')).to.equal(60);
    expect(acquireAll(shares, 'second')).to.equal(20);
    for (let n = 0; n < 30; n += 1) shares.release('first');
    expect(shares.isFree('first'), '30 of its own, 40 free').to.equal(true);
    expect(acquireAll(shares, 'second')).to.equal(20);
    expect(shares.isFree('first'), '30 of its own, 20 free').to.equal(true);
    expect(acquireAll(shares, 'first')).to.equal(4);
  });

  it('have some more for whoever has none, however many came before', () => {
    const shares = openShares(4, 1, 2);
    const holders = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(holders.map((holder) => acquireAll(shares, holder))).to.eql([2, 1, 1, 1, 1, 0]);
    expect(shares.isScarce()).to.equal(true);
    for (const holder of ['a', 'b', 'c']) shares.release(holder);
    expect(acquireAll(shares, 'e'), 'one of those that all have').to.equal(0);
    expect(acquireAll(shares, 'f')).to.equal(1);
  });
});

describe('a fair queue', () => {
  it('gives holders turns, and drops the newest of the one with most', () => {
    const queue = openFairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item[0]!, item);
    expect(queue.dropNewest()).to.equal('a3');
    expect(queue.shift((holder) => holder !== 'a')).to.equal('b1');
    expect([1, 2, 3, 4, 5].map(() => queue.shift())).to.eql(['a1', 'c1', 'a2', 'c2', undefined]);
    expect(queue.size).to.equal(0);
  });
});

describe('turns', () => {
  const refuse = () => new Error('refused');

  it('give whoever comes the next one, however many of another wait', async () => {
    const turns = openTurns({ max: 1, waitingMax: 3, refuse });
    const ran: string[] = [];
    const run = (holder: string, name: string) =>
      turns.run(holder, async () => void ran.push(name)).catch((error: Error) => error.message);
    const calls = [...['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => run('a', name)), run('b', 'b1')];
    const ends = await Promise.all(calls);
    expect(ran).to.eql(['a1', 'a2', 'b1', 'a3']);
    expect(ends).to.eql([undefined, undefined, undefined, 'refused', 'refused', undefined]);
  });

  it('go on after work that fails', async () => {
    const turns = openTurns({ max: 1, refuse });
    const fails = turns.run('a', () => Promise.reject(new Error('broken')));
    expect(await fails.catch((error: Error) => error.message)).to.equal('broken');
    expect(await turns.run('a', async () => 'done')).to.equal('done');
  });

  it('are refused to what waits for too long, and to nothing that has begun', async () => {
    const turns = openTurns({ max: 1, waitMs: 20, refuse });
    let end!: () => void;
    const first = turns.run('a', () => new Promise<void>((resolve) => (end = resolve)));
    const late = turns.run('b', async () => 'done').catch((error: Error) => error.message);
    expect(await late).to.equal('refused');
    expect(turns.waiting()).to.equal(0);
    end();
    await first;
    expect(await turns.run('b', async () => 'done')).to.equal('done');
  });

  it('stay free for others beside a holder with its share', async () => {
    const turns = openTurns({ max: 3, perFree: 2, refuse });
    const ends: (() => void)[] = [];
    const long = () => new Promise<void>((resolve) => ends.push(resolve));
    const calls = Array.from({ length: 5 }, () => turns.run('a', long));
    expect(await turns.run('b', async () => ends.length)).to.equal(2);
    while (ends.length > 0) {
      ends.pop()!();
      await new Promise(setImmediate);
    }
    await Promise.all(calls);
  });
});
