// test:all: the whole of npm run dev is launched.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { checkoutFolder } from '../../local/paths.ts';
import { eventually, launch, type Launcher } from './launcher.ts';

/** Not copied: what is built, installed or downloaded. */
const LINKED = ['node_modules', '.cache'];
const LEFT_OUT = [...LINKED, '.git', 'dist', 'client'];

describe('npm run dev', function () {
  this.timeout(240_000);

  const folder = mkdtempSync(join(tmpdir(), 'dev-'));
  const checkout = join(folder, 'checkout');
  const source = join(checkout, 'shared/domains/agents/authenticate.ts');
  let launcher: Launcher;
  let url: string;

  before(async () => {
    cpSync(checkoutFolder, checkout, {
      recursive: true,
      filter: (path) => !LEFT_OUT.some((name) => path === join(checkoutFolder, name)),
    });
    for (const name of LINKED) symlinkSync(join(checkoutFolder, name), join(checkout, name));
    launcher = launch(join(folder, 'data'), { DEMO: 'false' }, { checkout, program: 'dev' });
    url = await launcher.ready();
  });
  after(async () => {
    launcher.kill('SIGTERM');
    await launcher.exit;
    rmSync(folder, { recursive: true });
  });

  const answer = () =>
    fetch(`${url}/api/v1/admin/jobs`).then(
      (reply) => reply.text(),
      () => 'none',
    );
  const change = (from: string, to: string) =>
    writeFileSync(source, readFileSync(source, 'utf8').replace(from, to));

  it('builds what has changed and starts it again, and leaves what cannot be built', async () => {
    expect(await answer()).to.include('Send the operator token as a Bearer token.');
    change('Send the operator token as a Bearer token.', 'This token is changed.');
    await eventually(async () => (await answer()).includes('This token is changed.'));

    change('export ', 'export const = ;');
    await eventually(() => /^Not built: /m.test(launcher.output()));
    expect(await answer()).to.include('This token is changed.');

    change('export const = ;', 'export ');
    change('This token is changed.', 'It is changed again.');
    await eventually(async () => (await answer()).includes('It is changed again.'));
  });
});
