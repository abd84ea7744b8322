import type { LaunchEntry } from '../../local/launcher/launch_entry.ts';
import type { Service } from '../../local/launcher/supervisor.ts';
import { samePort, storedPort } from '../../local/ports.ts';
import { isStored, storedValue } from '../../local/stored_values.ts';
import { runsSandbox, withPlayMoney } from '../runs_sandbox.ts';
import { findAnvil, type Evm } from '../evm/anvil.ts';
import { serviceOf } from '../evm/service.ts';
import { CHAIN_PORT, NODE_PORT, tronChain } from './chain.ts';
import type { JavaTron } from './java_tron.ts';

/** Phrase from which the addresses are derived. Their money is worth nothing. */
const PHRASE = 'sandbox_tron_phrase';
const XPUB = 'sandbox_tron_xpub';
const ADDRESS = 'sandbox_tron_address';

/** Settings of real networks: with them, play money and real money could be mixed. */
const SETTINGS = ['TRON_RPC_URLS', 'TRON_DEPOSIT_ADDRESS', 'TRON_DEPOSIT_XPUB', 'TRON_USDT'];

/**
 * Deposits on a chain like Tron, with play money at the address of USDT. It is started once the API
 * answers, so that it delays no start; its address is known before.
 */
export const tronSandbox: LaunchEntry = {
  name: 'Tron sandbox',
  when: ({ production, env }) =>
    !production && runsSandbox(env, 'tron') && SETTINGS.every((name) => !env[name]),
  async env({ settings: { dataDir }, env }): Promise<Record<string, string>> {
    if (!findAnvil()) return {};
    await samePort(dataDir, CHAIN_PORT);
    return {
      TRON_RPC_URLS: `http://127.0.0.1:${await samePort(dataDir, NODE_PORT)}/jsonrpc`,
      ...withPlayMoney(env, 'tron'),
      ...(await addressesIn(dataDir)),
    };
  },
  start: () => Promise.resolve([]),
  async onReady({ settings: { dataDir } }) {
    if (!findAnvil()) {
      console.log(
        'Sandbox: deposits on Tron are off. npm has no @foundry-rs/anvil for this machine, or left ' +
          'it out (--omit=optional). TRON_RPC_URLS and TRON_DEPOSIT_XPUB set the real one.',
      );
      return [];
    }
    console.log(
      'Sandbox: deposits come in on Tron in play money. Try: npm run pay -- usdt-tron 10 --key vnx_…',
    );
    return [nodeOf(await tronChain(dataDir), storedPort(dataDir, NODE_PORT))];
  },
};

/** The chain and its java-tron front, in this process. */
function nodeOf(evm: Evm, port: number): Service {
  const chain = serviceOf(evm, async () => undefined);
  let node: JavaTron | undefined;
  return {
    ...chain,
    name: 'Tron sandbox',
    async start() {
      const { startJavaTron } = await import('./java_tron.ts');
      node ??= await startJavaTron(evm.url, { port });
      await chain.start();
    },
    async stop() {
      await node?.close();
      node = undefined;
      await chain.stop();
    },
  };
}

async function addressesIn(dataDir: string): Promise<Record<string, string>> {
  if (!isStored(dataDir, ADDRESS)) {
    const { HDNodeWallet, Wallet } = await import('ethers');
    const { tronOfHex } = await import('../../shared/domains/deposits/tron/address.ts');
    const phrase = storedValue(dataDir, PHRASE, () => Wallet.createRandom().mnemonic!.phrase);
    const parent = HDNodeWallet.fromPhrase(phrase, undefined, "m/44'/195'/0'/0").neuter();
    storedValue(dataDir, XPUB, () => parent.extendedKey);
    storedValue(dataDir, ADDRESS, () => tronOfHex(parent.deriveChild(0).address));
  }
  return {
    TRON_DEPOSIT_ADDRESS: storedValue(dataDir, ADDRESS, String),
    TRON_DEPOSIT_XPUB: storedValue(dataDir, XPUB, String),
  };
}
