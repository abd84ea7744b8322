import { expect } from 'chai';
import fc from 'fast-check';

import {
  afterCheck,
  checkDelayMs,
  type ProxyHealth,
  type Verdict,
} from '../../shared/domains/proxies/checks/states.ts';

const NEW: ProxyHealth = {
  state: 'quarantined',
  recent: 0,
  checks: 0,
  fails: 0,
  everPassed: false,
};
const PASS: Verdict = { passed: true, latencyMs: 100 };
const SLOW: Verdict = { passed: true, latencyMs: 5_000 };
const FAIL: Verdict = { passed: false, forged: false };
const FORGED: Verdict = { passed: false, forged: true };
const MINUTE = 60_000;

describe('the state of a proxy', () => {
  /** `p` passes, `s` passes slowly, `f` fails, `l` is a forged answer. */
  const after = (checks: string) =>
    checks
      .split('')
      .reduce(
        (health, check) => afterCheck(health, { p: PASS, s: SLOW, f: FAIL, l: FORGED }[check]!),
        NEW,
      );

  for (const [checks, state, minutes] of [
    ['', 'quarantined', undefined],
    ['p', 'hot', 10],
    ['s', 'warm', 20],
    ['pppppppppp', 'hot', 10],
    ['pf', 'degraded', 3],
    ['pff', 'degraded', 3],
    ['pfp', 'warm', 20],
    ['pffp', 'degraded', 3],
    ['pppppppppfp', 'hot', 10],
    ['pppppppf' + 'p'.repeat(8), 'hot', 10],
    ['pfff', 'quarantined', 30],
    ['pffff', 'quarantined', 60],
    ['pfffffff', 'quarantined', 480],
    ['pffffffff', 'dead', undefined],
    ['pfffp', 'degraded', 3],
    ['ppppfffp', 'warm', 20],
    ['f', 'quarantined', 10],
    ['ff', 'quarantined', 30],
    ['fff', 'dead', undefined],
    ['ffp', 'degraded', 3],
    ['l', 'dead', undefined],
    ['pl', 'quarantined', 30],
    ['pppppppppl', 'quarantined', 30],
    ['pll', 'quarantined', 240],
    ['plll', 'dead', undefined],
  ] as const) {
    it(`is ${state} after ${checks || 'nothing'}`, () => {
      const health = after(checks);
      expect(health.state).to.equal(state);
      if (minutes) expect(checkDelayMs(health)! / MINUTE).to.equal(minutes);
      if (state === 'dead') expect(checkDelayMs(health)).to.equal(undefined);
    });
  }

  it('puts on sale only what passed its last check, and counts the last 16 checks only', () => {
    const check = fc.constantFrom('p', 's', 'f', 'l');
    let longest = 0;
    fc.assert(
      fc.property(fc.array(check, { minLength: 1, maxLength: 60, size: 'max' }), (checks) => {
        longest = Math.max(longest, checks.length);
        const health = after(checks.join(''));
        expect(health.checks).to.equal(Math.min(checks.length, 16));
        expect(health.recent).to.be.within(0, 2 ** 16 - 1);
        if (['hot', 'warm'].includes(health.state)) expect(checks.at(-1)).to.be.oneOf(['p', 's']);
        if (health.state === 'hot') expect(checks.at(-1)).to.equal('p');
        const last = checks.slice(-16).filter((c) => c === 'p' || c === 's').length;
        if (health.state === 'warm') {
          expect(last / health.checks).to.be.at.least(0.6);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(longest).to.be.above(3 * 16);
  });
});
