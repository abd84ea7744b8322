import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import type { LaunchEntry } from '../../local/launcher/launch_entry.ts';
import { readLaunchSettings } from '../../local/launcher/launch_settings.ts';
import { absentSandboxes } from '../../sandbox/absent_sandboxes.ts';
import { algorandSandbox } from '../../sandbox/algorand/launch.ts';
import { evmSandbox } from '../../sandbox/evm/launch.ts';
import { evmDepositsSandbox } from '../../sandbox/evm/launch_deposits.ts';
import { solanaSandbox } from '../../sandbox/solana/launch.ts';
import { tronSandbox } from '../../sandbox/tron/launch.ts';
import { printedWithout } from './absent_packages.ts';
import { launchOf } from './launch_argument.ts';

describe('what npm start says of its settings', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  it('names what nothing reads once: no process gets it, and says it again', async () => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'launch-'));
    Object.assign(process.env, { DATA_DIR, BASE_SANDBOX: 'true', PUBLIC_URI: 'x', DEMO: 'false' });
    let settings: Awaited<ReturnType<typeof readLaunchSettings>> | undefined;
    const printed = await printedWithout([], async () => {
      settings = await readLaunchSettings();
    });
    expect(printed.match(/^(BASE_SANDBOX|PUBLIC_URI) is read by nothing/gm)).to.have.length(2);
    expect(settings!.env).not.to.have.any.keys('BASE_SANDBOX', 'PUBLIC_URI');
    expect(settings!.env).to.include({ DATA_DIR, DEMO: 'false' });
  });

  describe('of a real network', () => {
    const printedFor = (env: Record<string, string>) => {
      const launch = launchOf(env);
      if (!absentSandboxes.when(launch.settings)) return '';
      return printedWithout([], async () => absentSandboxes.onReady!(launch));
    };

    it('names the sandbox that one alone leaves out, and what to do', async () => {
      const cases: [LaunchEntry, string, string, string][] = [
        [evmSandbox, 'BASE_KEY_FILE', 'Base, Arbitrum, Ethereum and x402', 'BASE_RPC_URLS'],
        [evmSandbox, 'BASE_SIGNER_URL', 'Base, Arbitrum, Ethereum and x402', 'BASE_RPC_URLS'],
        [evmDepositsSandbox, 'EVM_DEPOSIT_ADDRESS', 'deposits on Base', 'BASE_RPC_URLS'],
        [evmDepositsSandbox, 'EVM_DEPOSIT_XPUB', 'deposits on Base', 'BASE_RPC_URLS'],
        [solanaSandbox, 'SOLANA_DEPOSIT_ADDRESS', 'Solana', 'SOLANA_RPC_URLS'],
        [tronSandbox, 'TRON_DEPOSIT_ADDRESS', 'Tron', 'TRON_RPC_URLS'],
        [tronSandbox, 'TRON_DEPOSIT_XPUB', 'Tron', 'TRON_RPC_URLS'],
        [tronSandbox, 'TRON_USDT', 'Tron', 'TRON_RPC_URLS'],
        [algorandSandbox, 'ALGO_DEPOSIT_ADDRESS', 'Algorand', 'ALGO_INDEXER_URLS'],
        [algorandSandbox, 'ALGO_GENESIS_HASH', 'Algorand', 'ALGO_INDEXER_URLS'],
      ];
      for (const [sandbox, name, networks, node] of cases) {
        expect(sandbox.when(launchOf({ [name]: 'x' }).settings), name).to.equal(false);
        const printed = await printedFor({ [name]: 'x' });
        expect(printed, name).to.match(/^Sandbox: no play money on .* Leave that out, or name/);
        expect(printed).to.include(networks).and.to.include(`${name} is set`).and.to.include(node);
        expect(await printedFor({ [name]: 'x', [node]: 'https://node.example.com' })).to.equal('');
      }
    });

    it('says nothing where none is set, and where no sandbox is wanted', async () => {
      expect(await printedFor({})).to.equal('');
      expect(await printedFor({ BASE_KEY_FILE: '/key', SANDBOX: 'none' })).to.equal('');
      const { settings } = launchOf({ BASE_KEY_FILE: '/key' }, { production: true });
      expect(absentSandboxes.when(settings)).to.equal(false);
    });
  });
});
