import type { LaunchEntry } from '../../local/launcher/launch_entry.ts';
import type { LaunchSettings } from '../../local/launcher/launch_settings.ts';
import type { Service } from '../../local/launcher/supervisor.ts';
import { samePort } from '../../local/ports.ts';
import { isStored, storedValue } from '../../local/stored_values.ts';
import { runsSandbox, withPlayMoney } from '../runs_sandbox.ts';
import { findAnvil } from './anvil.ts';
import { chainOf, portOf } from './chains.ts';
import { evmSandbox } from './launch.ts';
import { serviceOf } from './service.ts';

/** Phrase from which the addresses are derived. Their money is worth nothing. */
const PHRASE = 'sandbox_deposit_phrase';
const XPUB = 'sandbox_deposit_xpub';
const ADDRESS = 'sandbox_deposit_address';
const ROUTER = 'sandbox_deposit_router';

/** Settings of real networks: with them, play money and real money could be mixed. */
const SETTINGS = [
  'ARBITRUM_RPC_URLS',
  'ETHEREUM_RPC_URLS',
  'EVM_DEPOSIT_ADDRESS',
  'EVM_DEPOSIT_XPUB',
];

/**
 * Deposits on the chain of withdrawals, and on two more like it. All of it is off if a network or
 * an address is set: no real money may be sent to an address of a sandbox.
 */
export const evmDepositsSandbox: LaunchEntry = {
  name: 'Sandbox of deposits by EVM',
  when: (settings) => evmSandbox.when(settings) && SETTINGS.every((name) => !settings.env[name]),
  async env({ settings, env }): Promise<Record<string, string>> {
    if (!findAnvil()) return {};
    const { dataDir } = settings;
    const rails = moreRails(settings);
    const { address, xpub, router } = await addressesIn(dataDir);
    const found: Record<string, string> = {
      EVM_DEPOSIT_ADDRESS: address,
      EVM_DEPOSIT_XPUB: xpub,
      BASE_DEPOSIT_ROUTER: router,
      ...withPlayMoney(env, ...rails),
    };
    for (const rail of rails) {
      const name = rail.toUpperCase();
      found[`${name}_RPC_URLS`] = `http://127.0.0.1:${await samePort(dataDir, portOf(rail))}`;
      found[`${name}_DEPOSIT_ROUTER`] = router;
    }
    return found;
  },
  start: () => Promise.resolve([]),
  async onReady({ settings, env }) {
    if (!findAnvil()) {
      console.log(
        'Sandbox: deposits on Base, Arbitrum and Ethereum are off. npm has no @foundry-rs/anvil ' +
          'for this machine, or left it out (--omit=optional). BASE_RPC_URLS and ' +
          'EVM_DEPOSIT_ADDRESS set a real network.',
      );
      return [];
    }
    const rails = moreRails(settings);
    const services: Service[] = [];
    for (const rail of rails) {
      const evm = await chainOf(settings.dataDir, rail);
      services.push(
        serviceOf(evm, async () => {
          const { placeRouter } = await import('./router.ts');
          await placeRouter(evm, env.EVM_DEPOSIT_ADDRESS!);
        }),
      );
    }
    const names = ['Base', ...rails.map((rail) => NAMES[rail])].join(', ');
    console.log(`Sandbox: deposits come in on ${names} in play money. Try: docs/rails/evm.md`);
    return services;
  },
};

const NAMES = { arbitrum: 'Arbitrum', ethereum: 'Ethereum' };

const moreRails = ({ env }: LaunchSettings) =>
  (['arbitrum', 'ethereum'] as const).filter((rail) => runsSandbox(env, rail));

async function addressesIn(dataDir: string) {
  if (!isStored(dataDir, ROUTER)) {
    const { HDNodeWallet, Wallet } = await import('ethers');
    const phrase = storedValue(dataDir, PHRASE, () => Wallet.createRandom().mnemonic!.phrase);
    const parent = HDNodeWallet.fromPhrase(phrase, undefined, "m/44'/60'/0'/0").neuter();
    const { routerFor } = await import('./router.ts');
    storedValue(dataDir, XPUB, () => parent.extendedKey);
    const address = storedValue(dataDir, ADDRESS, () => parent.deriveChild(0).address);
    storedValue(dataDir, ROUTER, () => routerFor(address).address);
  }
  const [address, xpub, router] = [ADDRESS, XPUB, ROUTER].map((name) =>
    storedValue(dataDir, name, String),
  ) as [string, string, string];
  return { address, xpub, router };
}
