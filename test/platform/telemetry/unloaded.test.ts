import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect } from 'chai';

import { programArguments } from '../../programs.ts';

/** A text of each package that is part of it wherever it is bundled. */
const PARTS = ['OTLPTraceExporter', 'PeriodicExportingMetricReader', 'BatchSpanProcessor'];

describe('the packages of OpenTelemetry', () => {
  // A module imported by `import()` is a file of its own, which is not read before that.
  it('are in no file that a program reads where no collector is set', function () {
    this.timeout(120_000);
    const program = programArguments('api/main.ts').at(-1)!;
    const read = new Set<string>();
    const follow = (file: string): void => {
      if (read.has(file)) return;
      read.add(file);
      for (const [, name] of textOf(file).matchAll(
        /^(?:import|export)[^;'"]*["']\.\/([^'"]+)["']/gm,
      ))
        follow(join(dirname(file), name!));
    };
    follow(program);
    const partsIn = (files: readonly string[]) =>
      PARTS.filter((part) => files.some((file) => textOf(file).includes(part)));
    expect(read.size).to.be.greaterThan(1);
    expect(partsIn([...read])).to.deep.equal([]);
    const all = readdirSync(dirname(program)).filter((name) => name.endsWith('.js'));
    expect(partsIn(all.map((name) => join(dirname(program), name)))).to.deep.equal(PARTS);
  });
});

const texts = new Map<string, string>();
function textOf(file: string): string {
  let text = texts.get(file);
  if (text === undefined) texts.set(file, (text = readFileSync(file, 'utf8')));
  return text;
}
