import { once } from 'node:events';

import { expect } from 'chai';

import { openSessions } from '../../../workers/gateways/mail/smtp/sessions.ts';

describe('the sessions with mail servers of a process', () => {
  /** One that lasts until it is ended, or `finish` is called. */
  function slowIn(sessions: ReturnType<typeof openSessions>, tree: number) {
    let finish!: () => void;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let begun!: () => void;
    const begins = new Promise<void>((resolve) => (begun = resolve));
    const ends = sessions.run(tree, async (ended) => {
      begun();
      return Promise.race([
        finished.then(() => 'finished'),
        once(ended, 'abort').then(() => 'ended'),
      ]);
    });
    return { begins, ends, finish };
  }

  it('are slow as long as nobody needs their place; then the oldest of the most ends', async () => {
    const sessions = openSessions(4, 50);
    const slow = [1, 1].map((tree) => slowIn(sessions, tree));
    await Promise.all(slow.map(({ begins }) => begins));
    const other = slowIn(sessions, 2);
    await other.begins;
    // A tree may have as many as are free: one, and it has two.
    const third = slowIn(sessions, 1);
    expect(await slow[0]!.ends).to.equal('ended');
    slow[1]!.finish();
    expect(await slow[1]!.ends).to.equal('finished');
    await third.begins;
    third.finish();
    other.finish();
    expect(await Promise.all([third.ends, other.ends])).to.deep.equal(['finished', 'finished']);
  });

  it('end alone as they like', async () => {
    const sessions = openSessions(4, 0);
    const one = slowIn(sessions, 1);
    await one.begins;
    one.finish();
    expect(await one.ends).to.equal('finished');
  });
});
