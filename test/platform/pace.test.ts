import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';

import { openPace } from '../../shared/platform/shares/pace.ts';

describe('a pace', () => {
  const settings = { perSecond: 2, waitMsMax: 60_000, elapsedMs: () => 0 };

  async function endedAtOnce(waits: Promise<void>[]): Promise<number> {
    let ended = 0;
    for (const wait of waits) void wait.then(() => (ended += 1));
    await nextTurn();
    return ended;
  }
  const waits = (pace: ReturnType<typeof openPace>, holder: string, n: number) =>
    Array.from({ length: n }, () => pace.wait(holder));

  it('lets those of a second go at once, each holder its own, and the others later', async () => {
    const pace = openPace(settings);
    expect(await endedAtOnce(waits(pace, 'a', 6))).to.equal(2);
    expect(await endedAtOnce(waits(pace, 'b', 6))).to.equal(2);
    pace.close();
  });

  it('counts again from nothing when a holder was away', async () => {
    let now = 0;
    const pace = openPace({ ...settings, elapsedMs: () => now });
    const first = waits(pace, 'a', 6);
    now = 3_000;
    expect(await endedAtOnce(waits(pace, 'a', 6))).to.equal(2);
    pace.close();
    await Promise.all(first);
  });

  it('lets nobody wait for longer than it may, nor more at once', async () => {
    await Promise.all(waits(openPace({ ...settings, waitMsMax: 20 }), 'a', 10_000));
    const pace = openPace({ ...settings, waitingMax: 50 });
    expect(await endedAtOnce(waits(pace, 'a', 1_000))).to.equal(950);
    pace.close();
  });

  it('ends all waits when it is closed, and lets nobody wait after that', async () => {
    const pace = openPace(settings);
    const before = waits(pace, 'a', 500);
    pace.close();
    await Promise.all([...before, ...waits(pace, 'a', 500)]);
  });
});
