// test:all: work that hangs until real limits of time and memory end it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import type { Assertion, ResultCheck } from '../../shared/domains/verification/result_check.ts';
import { openVerification } from '../../workers/gateways/verification/verification.ts';
import { patience } from '../platform/pace.ts';
import { ENDLESS } from './endless.ts';

const TREE = { tree: 1 };
const OTHER_TREE = { tree: 2 };
const SEA = { type: 'object', required: ['name', 'km2'] };
const SMALL = '{"name": "Aral", "km2": 1}';

describe('the verification of what is made to hang', () => {
  /** A check that ends by itself has the time for it, however slow the machine is. */
  const patient = openVerification({ checkMs: patience(60_000) });
  /** A check that hangs is ended at once. */
  const impatient = openVerification({ checkMs: patience(150) });
  const faults = (check: object) => patient.faultsOf(check as ResultCheck, TREE);
  const judge = (check: object, result: string) =>
    patient.judge(check as ResultCheck, result, TREE);
  const passes = async (check: object, result: string) => (await judge(check, result)).passes;
  const that = (...assertions: Assertion[]) => ({ assertions });

  for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a?){40}a{40}$', '(.*)(.*)(.*)(.*)!$']) {
    it(`answers ${pattern} as fast as any pattern`, async () => {
      const short = `${'a'.repeat(40)}b`;
      const long = `${'a'.repeat(100_000)}b`;
      for (const text of [short, long]) {
        expect(await passes(that({ op: 'regex', value: pattern }), text)).to.equal(false);
        const result = JSON.stringify(text);
        const { failures } = await judge({ json_schema: { pattern } }, result);
        expect(failures.map(({ rule }) => rule)).to.deep.equal(['#/pattern']);
      }
    });
  }

  it('does not follow a reference to itself for ever', async () => {
    const around = { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' };
    expect((await faults({ json_schema: around }))[0]!.message).to.equal('nests too deeply');
    const { failures } = await judge({ json_schema: { allOf: [{ $ref: '#' }] } }, '1');
    expect(failures[0]!.message).to.include('nests too deeply');
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const nested = { $defs: { a: { items: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' };
    expect((await judge({ json_schema: nested }, deep)).passes).to.equal(false);
  });

  for (const { what, check, result } of [
    { what: 'references that double', check: ENDLESS, result: '[]' },
    {
      what: 'uniqueItems of 100 000 items',
      check: { uniqueItems: true },
      result: JSON.stringify(Array.from({ length: 100_000 }, (_, n) => [n])),
    },
    {
      what: 'a large enum for many items',
      check: {
        items: { enum: Array.from({ length: 1_500 }, (_, n) => [[1, 2, n]]) },
      },
      result: JSON.stringify(Array.from({ length: 200_000 }, () => [[1, 2, -1]])),
    },
  ]) {
    it(`ends ${what}, and goes on`, async () => {
      const slow = impatient.judge({ json_schema: check }, result, TREE);
      const order: string[] = [];
      const ended = slow.then(() => order.push('slow'));
      for (let n = 0; n < 5; n += 1) {
        const quick = await impatient.judge({ json_schema: SEA }, SMALL, OTHER_TREE);
        order.push(`quick ${quick.passes}`);
      }
      await ended;
      expect(order).to.deep.equal([...Array.from({ length: 5 }, () => 'quick true'), 'slow']);
      const { failures } = await slow;
      expect(failures).to.have.length(1);
      expect(failures[0]!.message).to.match(
        /^cannot be judged: it takes (longer than \d+ ms|too much memory)$/,
      );
      expect((await impatient.judge({ json_schema: SEA }, SMALL, TREE)).passes).to.equal(true);
    });
  }

  it('ends what takes too much memory, and nothing else', async () => {
    // An error for each of the items, each with its pointer.
    const result = JSON.stringify(Array.from({ length: 1_000_000 }, () => 1));
    const schema = { items: { allOf: Array.from({ length: 8 }, () => ({ type: 'string' })) } };
    const { failures } = await patient.judge({ json_schema: schema }, result, TREE);
    expect(failures[0]!.message).to.equal('cannot be judged: it takes too much memory');
    expect((await patient.judge({ json_schema: SEA }, SMALL, TREE)).passes).to.equal(true);
  });

  if (process.platform === 'linux') {
    it('counts what a check computes, and not how long others keep it waiting', async () => {
      const judgeMs = 200;
      const judge = openVerification({ checkMs: judgeMs });
      const ask = () => judge.judge({ json_schema: SEA }, SMALL, TREE);
      const before = childrenOf(process.pid);
      await ask();
      const [pid] = childrenOf(process.pid).filter((one) => !before.includes(one));
      process.kill(pid!, 'SIGSTOP');
      const asked = ask();
      setTimeout(() => process.kill(pid!, 'SIGCONT'), 2 * judgeMs);
      expect((await asked).passes).to.equal(true);
    });
  }

  it('does not outlive a worker that was killed', async () => {
    const child = fork('workers/gateways/verification/judge.mjs');
    await once(child, 'message');
    child.send({ check: { json_schema: ENDLESS }, results: ['[]'], formatNames: [], ms: 10 });
    child.disconnect();
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
  });

  it('leaves the other judge to others when a tree has two slow ones', async () => {
    const slow = [1, 2].map(() => impatient.judge({ json_schema: ENDLESS }, '[]', TREE));
    const other = impatient.judge({ json_schema: SEA }, SMALL, OTHER_TREE);
    const first = await Promise.race([...slow, other]);
    expect(first.passes).to.equal(true);
    await Promise.all(slow);
  });
});

/** The processes that this one has started, where the system says so. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
