import { expect } from 'chai';
import fc from 'fast-check';

import {
  qualityOf,
  withCheck,
  type LastDay,
} from '../../shared/domains/proxies/checks/last_day.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 0, 1);

/** Checks so many minutes after the one before; `true` passed. */
function after(checks: readonly (readonly [minutes: number, passed: boolean])[]): LastDay {
  let day: LastDay | undefined;
  let since: { at: Date; passed: boolean } | undefined;
  let now = START;
  for (const [minutes, passed] of checks) {
    now += minutes * MINUTE;
    const at = new Date(now);
    day = withCheck(day, { at, passed, ...(since && { since }) });
    since = { at, passed };
  }
  return day!;
}

describe('the last day of a proxy', () => {
  it('has a rate of success from its first check, and an uptime from its second', () => {
    expect(qualityOf(after([[0, true]]))).to.deep.equal({ successRate: 1, uptime: undefined });
    expect(qualityOf(after([[0, false]]))).to.deep.equal({ successRate: 0, uptime: undefined });
    const half = after([
      [0, true],
      [30, false],
      [30, true],
    ]);
    expect(qualityOf(half)).to.deep.equal({ successRate: 2 / 3, uptime: 0.5 });
  });

  it('forgets what is a day old', () => {
    const failing = Array.from({ length: 10 }, () => [60, false] as const);
    const passing = Array.from({ length: 24 }, () => [60, true] as const);
    expect(qualityOf(after([...failing, ...passing]))).to.deep.equal({ successRate: 1, uptime: 1 });
    expect(qualityOf(after([...passing, [25 * 60, false]])).successRate).to.equal(0);
    expect(qualityOf(after([...failing, [100 * 60, true]]))).to.deep.equal({
      successRate: 1,
      uptime: 0,
    });
  });

  it('agrees with a list of all checks, whenever they came', () => {
    const check = fc.tuple(fc.integer({ min: 0, max: 300 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(check, { minLength: 1, maxLength: 80 }), (checks) => {
        const { successRate, uptime } = qualityOf(after(checks));
        let now = START;
        const all = checks.map(([minutes, passed]) => ({ at: (now += minutes * MINUTE), passed }));
        const from = (Math.floor(now / HOUR) - 23) * HOUR;
        const counted = all.filter(({ at }) => at >= from);
        const passed = counted.filter((one) => one.passed).length;
        expect(successRate).to.equal(passed / counted.length);
        let [known, up] = [0, 0];
        for (const [n, { at }] of all.entries()) {
          const before = all[n - 1];
          if (!before) continue;
          const minutes = Math.max(0, at - Math.max(before.at, from)) / MINUTE;
          known += minutes;
          if (before.passed) up += minutes;
        }
        expect(uptime).to.equal(known > 0 ? up / known : undefined);
      }),
    );
  });

  it('has no hour twice where the clock was set back', () => {
    const day = after([
      [0, true],
      [120, true],
    ]);
    const back = withCheck(day, { at: new Date(START), passed: false });
    expect(back.hour).to.equal(day.hour);
    expect(qualityOf(back).successRate).to.equal(2 / 3);
  });
});
