import { expect } from 'chai';

import { batcher } from '../../shared/jobs/batcher.ts';
import { openInFlight } from '../../shared/jobs/in_flight.ts';
import { resultAnswer } from '../../shared/jobs/jobs.ts';
import type { JobAnswer } from '../../shared/kernel/terms/job_answer.ts';
import { eventually } from '../harness.ts';

describe('a batcher', () => {
  /** Batches as they begin, and what ends each of them. */
  function started() {
    const batches: { calls: number[]; end: () => void }[] = [];
    const run = (calls: number[]) =>
      new Promise<number[]>((resolve) => batches.push({ calls, end: () => resolve(calls) }));
    return { batches, run };
  }
  /** Two turns of the event loop: what may begin has begun. */
  const turns = async () => {
    for (let n = 0; n < 2; n += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const sizesOf = (batches: readonly { calls: number[] }[]) =>
    batches.map(({ calls }) => calls.length);

  it('sends the first call at once, and all that come meanwhile together', async () => {
    const { batches, run } = started();
    const call = batcher(run, { size: 4, maxInFlight: 2, fillMs: 60_000 });
    const results = [call(0)];
    await turns();
    results.push(call(1));
    await turns();
    results.push(call(2));
    await turns();
    expect(sizesOf(batches)).to.deep.equal([1]);
    batches[0]!.end();
    await results[0];
    await turns();
    expect(batches.map(({ calls }) => calls)).to.deep.equal([[0], [1, 2]]);
    batches[1]!.end();
    expect(await Promise.all(results)).to.deep.equal([0, 1, 2]);
  });

  it('sends a full batch beside one that is in flight, up to its bound', async () => {
    const { batches, run } = started();
    const call = batcher(run, { size: 4, maxInFlight: 2, fillMs: 60_000 });
    void call(0);
    await turns();
    for (let n = 1; n <= 10; n += 1) void call(n);
    await turns();
    expect(sizesOf(batches)).to.deep.equal([1, 4]);
    batches[0]!.end();
    await turns();
    expect(sizesOf(batches)).to.deep.equal([1, 4, 4]);
    batches[1]!.end();
    await turns();
    expect(sizesOf(batches)).to.deep.equal([1, 4, 4]); // two that do not fill a batch wait
    batches[2]!.end();
    await turns();
    expect(sizesOf(batches)).to.deep.equal([1, 4, 4, 2]);
  });

  it('sends small batches side by side where they are cheap to begin', async () => {
    const { batches, run } = started();
    const call = batcher(run, { size: 4, maxInFlight: 2 });
    for (let n = 0; n < 3; n += 1) {
      void call(n);
      await turns();
    }
    expect(sizesOf(batches)).to.deep.equal([1, 1]);
  });

  it('lets holders take turns where more is pending than a batch takes', async () => {
    const { batches, run } = started();
    const call = batcher(run, { size: 3, maxInFlight: 1, holderOf: (n) => Math.floor(n / 10) });
    for (const n of [10, 11, 12, 13, 20, 30]) void call(n);
    await turns();
    batches[0]!.end();
    await turns();
    expect(batches.map(({ calls }) => calls)).to.deep.equal([
      [10, 20, 30],
      [11, 12, 13],
    ]);
  });

  it('sends a batch that is not full after a while, beside one that is held up', async () => {
    const { batches, run } = started();
    const call = batcher(run, { size: 4, maxInFlight: 2, fillMs: 5 });
    void call(0);
    await turns();
    void call(1);
    await eventually(
      async () => sizesOf(batches),
      ({ length }) => length === 2,
    );
    batches[1]!.end();
    void call(2);
    await eventually(
      async () => sizesOf(batches),
      ({ length }) => length === 3,
    );
  });

  it('counts a batch as in flight until it is done, though it was answered before', async () => {
    const { batches, run } = started();
    let finish!: () => void;
    const done = new Promise<void>((resolve) => (finish = resolve));
    const call = batcher(run, { maxInFlight: 1, untilDone: () => done });
    const first = call(0);
    await turns();
    batches[0]!.end();
    expect(await first).to.equal(0);
    void call(1);
    await turns();
    expect(sizesOf(batches)).to.deep.equal([1]);
    finish();
    await turns();
    expect(sizesOf(batches)).to.deep.equal([1, 1]);
  });

  it('fails all calls of a batch that fails, and goes on', async () => {
    let fails = true;
    const call = batcher(async (calls: number[]) => {
      if (fails) throw new Error('on purpose');
      return calls;
    });
    const outcomes = await Promise.all([0, 1, 2].map((n) => call(n).catch(String)));
    expect(outcomes).to.deep.equal(Array(3).fill('Error: on purpose'));
    fails = false;
    expect(await call(3)).to.equal(3);
  });

  it('refuses calls when too many are pending', async () => {
    const { run } = started();
    const call = batcher(run, { size: 2, maxInFlight: 1, maxPending: 1 });
    const codes: unknown[] = [];
    for (let n = 0; n < 4; n += 1) {
      call(n).catch(({ code }: { code: unknown }) => codes.push(code));
    }
    await turns(); // Two are in flight, one is pending.
    expect(codes).to.deep.equal(['queue_overloaded']);
    call(4).catch(({ code }: { code: unknown }) => codes.push(code));
    await turns();
    expect(codes).to.deep.equal(['queue_overloaded', 'queue_overloaded']);
  });
});

describe('batches in flight', () => {
  function newWaiter() {
    let end!: (answer: JobAnswer | null) => void;
    const answer = new Promise<JobAnswer | null>((resolve) => (end = resolve));
    return { answer, stop: () => end(null), end: () => end(resultAnswer('id', {})) };
  }

  it('hold the next one up for a moment, and until one is answered where they are many', async () => {
    const [few, many] = [openInFlight(), openInFlight()];
    const waiters = Array.from({ length: 7 }, newWaiter);
    const ends = waiters.map((waiter) => many.track(waiter));
    let isHeld = true;
    const held = many.hold(ends[0]!).then(() => (isHeld = false));
    await few.hold(few.track(newWaiter()));
    expect(isHeld).to.equal(true);
    waiters[0]!.end();
    await held;
    for (const waiter of waiters) waiter.end();
    await Promise.all(ends);
  });

  it('count no more when no worker has answered for a second', async function () {
    this.timeout(8_000);
    const inFlight = openInFlight();
    await inFlight.track(newWaiter());
  });
});
