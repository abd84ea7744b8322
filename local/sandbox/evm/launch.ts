import { join } from 'node:path';

import type { LaunchEntry } from '../../launcher/launch_entry.ts';
import type { Service } from '../../launcher/supervisor.ts';
import { samePort, storedPort } from '../../ports.ts';
import { storedValue } from '../../stored_values.ts';
import { findAnvil, FINAL_AFTER, openEvm, type Evm } from './anvil.ts';

const PORT = 'evm_port';
const KEY = 'sandbox_wallet_key';

/** So much the wallet that pays has at least, in millionths of a dollar and in wei. */
const USDC = 1_000_000n * 1_000_000n;
const GAS = 10n ** 18n;
const LOOK_MS = 1_000;

/**
 * A chain of this machine, which withdrawals are paid on, unless one is set. Its address is known
 * before it runs: it is started once the API answers, so that no start is slower for it.
 */
export const evmSandbox: LaunchEntry = {
  name: 'EVM sandbox',
  when: ({ production, env }) =>
    !production && !env.BASE_RPC_URLS && env.BASE_SANDBOX !== 'false' && !env.WITHDRAWAL_KEY_FILE,
  async env({ settings: { dataDir }, env }): Promise<Record<string, string>> {
    if (!findAnvil()) return {};
    const { Wallet } = await import('ethers');
    storedValue(dataDir, KEY, () => Wallet.createRandom().privateKey);
    return {
      BASE_RPC_URLS: `http://127.0.0.1:${await samePort(dataDir, PORT)}`,
      BASE_SANDBOX: 'true',
      WITHDRAWAL_KEY_FILE: join(dataDir, KEY),
      // A newcomer who tries it would wait for a day.
      WITHDRAWAL_HOLD_HOURS: env.WITHDRAWAL_HOLD_HOURS || '0',
    };
  },
  start: () => Promise.resolve([]),
  async onReady({ settings: { dataDir } }) {
    if (!findAnvil()) {
      console.log(
        'Sandbox: withdrawals are off. npm has no @foundry-rs/anvil for this machine, or left it ' +
          'out (--omit=optional). BASE_RPC_URLS and WITHDRAWAL_KEY_FILE set a real chain.',
      );
      return [];
    }
    const { Wallet } = await import('ethers');
    const { address } = new Wallet(storedValue(dataDir, KEY, String));
    const evm = await sandboxChain(dataDir);
    console.log(`Sandbox: withdrawals are paid in play money, on a chain at ${evm.url}.`);
    return [serviceOf(evm, address)];
  },
};

/** The chain of this DATA_DIR, which another may ask that has not started it. */
export const sandboxChain = async (dataDir: string): Promise<Evm> =>
  openEvm({ folder: join(dataDir, 'evm'), port: storedPort(dataDir, PORT), durable: true });

/** The node with money in the wallet, where transactions become final by themselves. */
function serviceOf(evm: Evm, wallet: string): Service {
  let looking: NodeJS.Timeout | undefined;
  return {
    name: evm.name,
    pid: () => evm.pid(),
    ended: () => evm.ended(),
    async start() {
      await evm.start();
      await evm.fund(wallet, GAS);
      const has = await evm.balanceOf(wallet);
      if (has < USDC) await evm.mint(wallet, USDC - has);
      clearInterval(looking);
      looking = setInterval(() => void finalize(evm).catch(() => undefined), LOOK_MS);
    },
    async stop() {
      clearInterval(looking);
      await evm.stop();
    },
  };
}

/**
 * One more block, until the last transaction is final. A chain that mined blocks all the time would
 * write ever more of them to disk.
 */
async function finalize(evm: Evm): Promise<void> {
  interface Block {
    readonly transactions: readonly string[];
  }
  const newest = Number(await evm.send('eth_blockNumber'));
  for (let number = newest; number > newest - FINAL_AFTER && number >= 0; number -= 1) {
    const at = `0x${number.toString(16)}`;
    const block = (await evm.send('eth_getBlockByNumber', [at, false])) as Block;
    if (block.transactions.length > 0) return evm.mine();
  }
}
