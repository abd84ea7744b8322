import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { run } from '../../../local/processes/command.ts';
import { TestPlatform } from '../../harness.ts';
import { ROOT } from '../../sources.ts';

/** What must not compile, because no answer and no refusal is like that. */
const WRONG = `import type { components } from './schema.js';
type Schemas = components['schemas'];
export const price = (product: Schemas['Product']): number => product.price;
// @ts-expect-error -- no such field
export const cost = (product: Schemas['Product']) => product.cost;
// @ts-expect-error -- no such code
export const isBroke = ({ error }: Schemas['PurchaseProductError']) => error === 'no_money';
// @ts-expect-error -- a wallet is read for nothing
export const isOwed = ({ error }: Schemas['GetWalletError']) => error === 'insufficient_balance';
`;

describe('a client that is generated from /openapi.json', () => {
  let platform: TestPlatform;
  let folder: string;

  before(async () => {
    platform = await TestPlatform.open();
    folder = mkdtempSync(join(tmpdir(), 'client-'));
    symlinkSync(join(ROOT, 'client/node_modules'), join(folder, 'node_modules'));
    copyFileSync(join(ROOT, 'client/first_purchase.ts'), join(folder, 'first_purchase.ts'));
    writeFileSync(join(folder, 'wrong.ts'), WRONG);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await platform.close();
  });

  const node = (file: string, ...args: string[]) =>
    run(process.execPath, [file, ...args], { cwd: folder, env: process.env });

  it('compiles, and buys; what no answer is like does not compile', async () => {
    const seller = await platform.agent();
    await platform.product(seller, {
      title: 'Weather API',
      price: 0.08,
      stock_kind: 'unlimited',
      content: 'wx-1000',
    });

    const generator = join(ROOT, 'client/node_modules/openapi-typescript/bin/cli.js');
    const generated = await node(generator, `${platform.url}/openapi.json`, '-o', 'schema.ts');
    expect(generated.ok, generated.all).to.equal(true);

    const options = '--strict --target es2023 --module nodenext --outDir built --types node';
    const typeRoots = ['--skipLibCheck', '--typeRoots', join(ROOT, 'node_modules/@types')];
    const programs = ['first_purchase.ts', 'wrong.ts'];
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const compiled = await node(compiler, ...options.split(' '), ...typeRoots, ...programs);
    expect(compiled.ok, compiled.all).to.equal(true);

    const ran = await node('built/first_purchase.js', platform.url, 'typed');
    expect(ran.all.trim().split('\n')).to.deep.equal([
      'found Weather API for $0.08',
      'order 1: escrow, $0.088',
      'got wx-1000',
      '100 more: add money first',
    ]);
  });
});
