import { expect } from 'chai';

import type { Launch } from '../../local/launcher/launch_entry.ts';
import { playMoney } from '../../sandbox/play_money.ts';
import { runsSandbox, withPlayMoney } from '../../sandbox/runs_sandbox.ts';
import { newPassword } from '../../local/stored_values.ts';
import { sandboxedNetworks } from '../../shared/domains/deposits/sandboxed/settings.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';

const RAILS = ['base', 'arbitrum', 'ethereum', 'solana', 'tron', 'algorand', 'x402'] as const;

describe('the networks that npm start runs', () => {
  it('are those that SANDBOX names, all without it or with true, and else none', () => {
    const run = (SANDBOX?: string) => RAILS.filter((rail) => runsSandbox({ SANDBOX }, rail));
    for (const all of [undefined, '', 'true']) expect(run(all)).to.deep.equal(RAILS);
    for (const none of ['false', 'none']) expect(run(none)).to.deep.equal([]);
    expect(run('base,solana')).to.deep.equal(['base', 'solana']);
  });

  it('are named in small letters, and at least one', () => {
    for (const text of [',', 'BASE', 'base,Solana', 'bas']) {
      expect(() => sandboxedNetworks(text), text).to.throw(/^names .*base.*in small letters$/);
    }
    expect(sandboxedNetworks('base, solana')).to.deep.equal(['base', 'solana']);
  });

  it('are named to its processes one beside the other, each once', () => {
    const first = withPlayMoney({ SANDBOX: 'true' }, 'base');
    expect(first).to.deep.equal({ SANDBOX: 'base' });
    const more = withPlayMoney(first, 'arbitrum', 'ethereum');
    expect(more).to.deep.equal({ SANDBOX: 'base,arbitrum,ethereum' });
    expect(withPlayMoney(more, 'base')).to.deep.equal(more);
    expect(withPlayMoney({}, 'tron')).to.deep.equal({ SANDBOX: 'tron' });
  });

  it('make a sandbox also where none runs and no other money is real', async () => {
    const set = {
      DATABASE_URL: 'postgres://127.0.0.1/market',
      REDIS_URL: 'redis://127.0.0.1',
      OPERATOR_TOKEN: newPassword(),
      MASTER_KEYS: newMasterKey('k1'),
    };
    const added = (env: Record<string, string> = {}) =>
      playMoney.env!({ env: { ...set, ...env } } as unknown as Launch);
    expect(await added()).to.deep.equal({ SANDBOX: 'true' });
    expect(await added({ BASE_RPC_URLS: 'https://base.example.com' })).to.deep.equal({
      SANDBOX: 'false',
    });
    expect(await added({ SANDBOX: 'base,solana' })).to.deep.equal({});
  });
});
