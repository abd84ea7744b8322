import { expect } from 'chai';

import { eventually, noteRunning } from './eventually.ts';

describe('a wait of a test', () => {
  afterEach(() => noteRunning(undefined));
  const begins = (limitMs: number) => noteRunning({ timeout: () => limitMs } as Mocha.Runnable);
  const countTo = (last: number) => {
    let n = 0;
    return eventually(
      async () => ({ n: (n += 1) }),
      (answer) => answer.n === last,
    );
  };

  it('fails within half of the limit of its test, and says what it saw last', async () => {
    begins(200);
    const error: Error = await countTo(-1).then(
      () => expect.fail('it went on'),
      (reason) => reason,
    );
    expect(error.message).to.match(/^Waited in vain for \d{3,} ms; the last answer: { n: \d+ }$/);
  });

  it('goes on in a hook, and where a test has no limit', async () => {
    begins(0);
    expect(await countTo(5)).to.deep.equal({ n: 5 });
    noteRunning(undefined);
    expect(await countTo(5)).to.deep.equal({ n: 5 });
  });
});
