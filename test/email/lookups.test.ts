import { expect } from 'chai';

import { openLookups } from '../../workers/gateways/dns/lookups.ts';
import { eventually } from '../harness.ts';
import { patience } from '../platform/pace.ts';
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
    expect(await Promise.race(all), 'of one that waited').to.equal('no_turn');
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

  it('of a zone that did not answer others count as not answered without a slot', async () => {
    const resolve: Resolve = (_type, domain) =>
      domain.startsWith('first') ? Promise.resolve('dns_time_out') : new Promise<never>(() => {});
    const lookUp = openLookups(resolve, { timeoutMs: 20, lookupsMax: LOOKUPS_MAX });
    await lookUp('MX', 'first.silent.example', 7);
    const all = Array.from({ length: 30 }, (_, n) => lookUp('MX', `n${n}.silent.example`, 7));
    expect(await Promise.race(all)).to.equal('dns_time_out');
  });

  it('wait in the order in which they came, also where some before had no answer', async () => {
    const begun: string[] = [];
    const answers: ((result: 'none' | 'dns_time_out') => void)[] = [];
    const resolve: Resolve = (_type, domain) => {
      begun.push(domain);
      return new Promise((answer) => answers.push(answer));
    };
    const lookUp = openLookups(resolve, { timeoutMs: patience(10_000), lookupsMax: LOOKUPS_MAX });
    const all: Promise<unknown>[] = [];
    const ask = (n: number) => all.push(lookUp('MX', `mail.zone${n}.example`, 1));
    for (let n = 0; n < LOOKUPS_MAX; n += 1) ask(n);
    for (let n = 0; n < 4; n += 1) answers.shift()!('dns_time_out');
    await new Promise(setImmediate);
    ask(LOOKUPS_MAX);
    while (answers.length > 0) {
      answers.shift()!('none');
      await new Promise(setImmediate);
      if (all.length < 2 * LOOKUPS_MAX) ask(all.length);
    }
    await Promise.all(all);
    expect(begun).to.deep.equal(
      Array.from({ length: all.length }, (_, n) => `mail.zone${n}.example`),
    );
  });

  it('begin for others as soon as slow ones are known to be slow, however many trees wait', async () => {
    let isOver!: (result: 'none') => void;
    const over = new Promise<'none'>((resolve) => (isOver = resolve));
    /** A name server that does not answer a name in `example`, and others at once. */
    const silent: Resolve = (_type, domain) =>
      domain.endsWith('.example') ? over : Promise.resolve('none');
    const timeoutMs = patience(10_000);
    const lookUp = openLookups(silent, { timeoutMs, lookupsMax: LOOKUPS_MAX });
    const all: Promise<unknown>[] = [];
    for (let tree = 1; tree <= 40; tree += 1) {
      for (let n = 0; n < 10; n += 1) all.push(lookUp('MX', `n${n}.zone${tree}.example`, tree));
    }
    // None of the slow ones ends before it, and who waits for a slot for too long has a time-out.
    expect(await lookUp('MX', 'mail.test', 1_000)).to.equal('none');
    isOver('none');
    await Promise.all(all);
  });

  it('begin at once for a tree that has none, unless those before had no answer', async () => {
    const begun: number[] = [];
    const resolve: Resolve = (_type, domain) => {
      const tree = Number(domain.split('.')[0]);
      if (tree === 0) return Promise.resolve('dns_time_out');
      begun.push(tree);
      return new Promise<never>(() => undefined);
    };
    const lookUp = openLookups(resolve, { timeoutMs: 60, lookupsMax: LOOKUPS_MAX });
    for (let n = 0; n < 4; n += 1) await lookUp('MX', `0.zone${n}.test`, 1_000);
    const ask = (tree: number) => void lookUp('MX', `${tree}.zone${tree}.example`, tree);
    for (let tree = 1; tree <= LOOKUPS_MAX; tree += 1) ask(tree);
    const late = lookUp('MX', '1000.late.example', 1_000);
    ask(50);
    expect(begun.slice(-2)).to.deep.equal([LOOKUPS_MAX, 50]);
    expect(await late).to.equal('no_turn');
    expect(begun).not.to.include(1_000);
  });

  it('begin for those whose look-ups are answered before those whose are not', async () => {
    const begun: string[] = [];
    const answers = new Map<string, (result: 'none' | 'dns_time_out') => void>();
    const resolve: Resolve = (_type, domain) => {
      begun.push(domain);
      return new Promise((answer) => answers.set(domain, answer));
    };
    const lookUp = openLookups(resolve, { timeoutMs: patience(10_000), lookupsMax: LOOKUPS_MAX });
    const [bad, good] = [1, 2];
    for (let n = 0; n < 4; n += 1) {
      const asked = lookUp('MX', `bad.zone${n}.example`, bad);
      answers.get(`bad.zone${n}.example`)!('dns_time_out');
      expect(await asked).to.equal('dns_time_out');
    }
    // More than there are, because each of these has none.
    const running = Array.from({ length: 2 * LOOKUPS_MAX }, (_, n) =>
      lookUp('MX', `running.zone${n}.example`, 100 + n),
    );
    const late = lookUp('MX', 'late.two.example', bad);
    const soon = lookUp('MX', 'soon.three.example', good);
    expect(begun).not.to.include.members(['late.two.example', 'soon.three.example']);
    for (const answer of answers.values()) answer('none');
    await eventually(
      async () => begun,
      (all) => all.includes('late.two.example'),
    );
    expect(begun.slice(-2)).to.deep.equal(['soon.three.example', 'late.two.example']);
    for (const answer of answers.values()) answer('none');
    expect(new Set(await Promise.all([...running, late, soon]))).to.deep.equal(new Set(['none']));
  });
});
