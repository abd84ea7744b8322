// test:all: programs are bundled and started.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join, relative } from 'node:path';

import { expect } from 'chai';
import { buildSync } from 'esbuild';

import { buildPrograms } from '../../local/build.mjs';
import { cacheFolder, checkoutFolder } from '../../local/paths.ts';
import { withoutPackages } from '../../local/source_map.mjs';

describe('a bundle', () => {
  let folder: string;
  beforeEach(() => {
    mkdirSync(cacheFolder, { recursive: true });
    folder = mkdtempSync(join(cacheFolder, 'bundles-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has a source map that finds each line of ours, and none of a package', () => {
    const program = join(folder, 'ours.ts');
    const lines = [
      `import ip from 'ipaddr.js';`,
      `const before: number = 1;`,
      `export const ours = () => ip.isValid('ours') && before;`,
    ];
    writeFileSync(program, lines.join('\n'));
    const { outputFiles } = buildSync({
      absWorkingDir: checkoutFolder,
      entryPoints: [program],
      outdir: 'dist',
      write: false,
      bundle: true,
      format: 'esm',
      sourcemap: 'linked',
    });
    const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))!.text;
    const code = textOf('.js').split('\n');
    const whole = JSON.parse(textOf('.map')) as SourceMapPayload;
    const map = new SourceMap(JSON.parse(withoutPackages(textOf('.map'))) as SourceMapPayload);
    const all = new SourceMap(whole);

    let own = 0;
    let ofPackages = 0;
    for (const [line, text] of code.entries()) {
      for (let column = 0; column < text.length; column += 1) {
        const { originalSource, ...was } = all.findEntry(line, column) as Partial<Entry>;
        const is = map.findEntry(line, column) as Partial<Entry>;
        if (originalSource?.endsWith('ours.ts')) {
          expect(is).to.deep.equal({ originalSource, ...was });
          own += 1;
        } else if (originalSource !== undefined) {
          expect(is.originalSource).to.equal(undefined);
          ofPackages += 1;
        }
      }
    }
    expect(own).to.be.greaterThan(50);
    expect(ofPackages).to.be.greaterThan(10_000);
  });

  it('is refused where a package would lose its exports', () => {
    const program = join(folder, 'loses.ts');
    writeFileSync(program, `export const { Redis } = await import('ioredis');`);
    const build = () => buildPrograms([relative(checkoutFolder, program)], folder);
    expect(build).to.throw(/ioredis.* by import\(\): leave that package outside/);
  });
});

type Entry = { readonly originalSource: string } & object;
