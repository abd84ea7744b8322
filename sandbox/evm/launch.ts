import { join } from 'node:path';

import type { LaunchEntry } from '../../local/launcher/launch_entry.ts';
import { samePort } from '../../local/ports.ts';
import { storedValue } from '../../local/stored_values.ts';
import { runsSandbox, withPlayMoney } from '../runs_sandbox.ts';
import { findAnvil } from './anvil.ts';
import { chainOf, portOf } from './chains.ts';
import { serviceOf } from './service.ts';

const KEY = 'sandbox_wallet_key';

/** Minimum balance of the paying wallet, in millionths of a dollar; below, in wei. */
const USDC = 1_000_000n * 1_000_000n;
const GAS = 10n ** 18n;

/**
 * A local chain for withdrawals, unless one is set. Its address is known before it runs: it is
 * started once the API answers, so that it delays no start.
 */
export const evmSandbox: LaunchEntry = {
  name: 'EVM sandbox',
  when: ({ production, env }) =>
    !production &&
    !env.BASE_RPC_URLS &&
    runsSandbox(env, 'base') &&
    !env.BASE_KEY_FILE &&
    !env.BASE_SIGNER_URL,
  async env({ settings: { dataDir }, env }): Promise<Record<string, string>> {
    if (!findAnvil()) return {};
    const { Wallet } = await import('ethers');
    storedValue(dataDir, KEY, () => Wallet.createRandom().privateKey);
    return {
      BASE_RPC_URLS: `http://127.0.0.1:${await samePort(dataDir, portOf('base'))}`,
      ...withPlayMoney(env, 'base'),
      BASE_KEY_FILE: join(dataDir, KEY),
      // Otherwise a newcomer would wait for a day.
      WITHDRAWAL_HOLD_HOURS: env.WITHDRAWAL_HOLD_HOURS || '0',
      WITHDRAWAL_CARD_DAYS: env.WITHDRAWAL_CARD_DAYS || '0',
    };
  },
  start: () => Promise.resolve([]),
  async onReady({ settings: { dataDir }, env }) {
    if (!findAnvil()) {
      console.log(
        'Sandbox: withdrawals are off. npm has no @foundry-rs/anvil for this machine, or left it ' +
          'out (--omit=optional). BASE_RPC_URLS and BASE_KEY_FILE set a real chain.',
      );
      return [];
    }
    const { Wallet } = await import('ethers');
    const { address } = new Wallet(storedValue(dataDir, KEY, String));
    const evm = await chainOf(dataDir, 'base');
    console.log(`Sandbox: withdrawals are paid in play money, on a chain at ${evm.url}.`);
    return [
      serviceOf(evm, async () => {
        await evm.fund(address, GAS);
        const has = await evm.balanceOf(address);
        if (has < USDC) await evm.mint(address, USDC - has);
        if (!env.BASE_DEPOSIT_ROUTER) return;
        const { placeRouter } = await import('./router.ts');
        await placeRouter(evm, env.EVM_DEPOSIT_ADDRESS!);
      }),
    ];
  },
};
