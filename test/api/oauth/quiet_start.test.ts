// test:all: programs are started.
import { expect } from 'chai';

import { run } from '../../../local/processes/command.ts';
import { checkoutFolder } from '../../../local/paths.ts';

describe('the OAuth server', () => {
  it('warns of nothing when it is loaded, on each version of Node that is supported', async () => {
    const load = `await import('./api/oauth/routes.ts')`;
    const args = ['--import', 'tsx', '--input-type=module', '-e', load];
    const { ok, all } = await run(process.execPath, args, {
      cwd: checkoutFolder,
      env: process.env,
    });
    expect({ ok, all }).to.deep.equal({ ok: true, all: '' });
  });
});
