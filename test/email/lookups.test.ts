import { expect } from 'chai';

import { openLookups } from '../../workers/gateways/dns/lookups.ts';
import type { Resolve } from '../../workers/gateways/dns/resolver.ts';

const LOOKUPS_MAX = 20;

describe('look-ups of domains', () => {
  /** How many of thirty begin at once, by a tree that looks up these domains. */
  async function begunOf(domainOf: (n: number) => string): Promise<number> {
    const begun: string[] = [];
    const resolve: Resolve = (_type, domain) => {
      begun.push(domain);
      return new Promise<never>(() => undefined); // Its name server never answers.
    };
    const lookUp = openLookups(resolve, { timeoutMs: 20, lookupsMax: LOOKUPS_MAX });
    const all = Array.from({ length: 30 }, (_, n) => lookUp('MX', domainOf(n), 7));
    expect(await Promise.race(all), 'of one that waited').to.equal('dns_time_out');
    return begun.length;
  }

  it('take half of what there is for one tree of agents', async () => {
    expect(await begunOf((n) => `mail.zone${n}.example`)).to.equal(LOOKUPS_MAX / 2);
  });

  it('take a fifth for one zone, also below a short second label', async () => {
    expect(await begunOf((n) => `n${n}.single.example`)).to.equal(LOOKUPS_MAX / 5);
    expect(await begunOf((n) => `n${n}.single.co.example`)).to.equal(LOOKUPS_MAX / 5);
    expect(await begunOf((n) => `single${n}.co.example`)).to.equal(LOOKUPS_MAX / 2);
  });
});
