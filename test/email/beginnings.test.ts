import { expect } from 'chai';

import { openBeginnings } from '../../workers/gateways/mail/start_turns.ts';
import { eventually } from '../harness.ts';

describe('the addresses of batches', () => {
  /** Work that ends when it is told to. */
  function rig(times: { slowMs?: number; waitMs?: number }) {
    const begin = openBeginnings({ max: 1, ...times });
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const run = (tree: number, name: string) =>
      begin(tree, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      });
    return { begin, run, begun, ends };
  }

  it('begin one at a time, and trees take turns', async () => {
    const { run, begun, ends } = rig({ slowMs: 60_000 });
    const all = Array.from({ length: 3 }, (_, n) => run(1, `a${n}`));
    await new Promise(setImmediate);
    expect(begun).to.deep.equal(['a0']);
    all.push(run(2, 'b0'));
    await new Promise(setImmediate);
    expect(begun).to.deep.equal(['a0']);
    while (ends.length > 0) {
      ends.shift()!();
      await new Promise(setImmediate);
    }
    expect(begun.indexOf('b0')).to.be.below(3);
    expect(await Promise.all(all)).to.deep.equal(['a0', 'a1', 'a2', 'b0']);
  });

  it('give their places to the next where they only wait', async () => {
    const { run, begun, ends } = rig({ waitMs: 600_000 });
    const all = Array.from({ length: 20 }, (_, n) => run(1, `a${n}`));
    await eventually(
      async () => begun.length,
      (length) => length === 20,
    );
    for (const end of ends) end();
    expect(await Promise.all(all)).to.include.members(['a0', 'a19']);
  });

  it('begin without a turn when they have waited for long, once', async () => {
    const { begin, run, begun, ends } = rig({ slowMs: 60_000, waitMs: 1 });
    const blocked = [run(2, 'a0')];
    const late = run(1, 'late');
    await eventually(
      async () => begun,
      (names) => names.includes('late'),
    );
    for (const end of ends) end();
    expect(await late).to.equal('late');
    await Promise.all(blocked);
    expect(begun.length).to.equal(2);
    expect(await begin(1, async () => 'more')).to.equal('more');
  });

  it('end as their work does', async () => {
    const fails = openBeginnings()(1, () => Promise.reject(new Error('broken')));
    expect(await fails.catch((error: Error) => error.message)).to.equal('broken');
  });
});
