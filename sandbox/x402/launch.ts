import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

import type { LaunchEntry } from '../../local/launcher/launch_entry.ts';
import type { Service } from '../../local/launcher/supervisor.ts';
import { samePort, storedPort } from '../../local/ports.ts';
import { storedValue } from '../../local/stored_values.ts';
import { runsSandbox, withPlayMoney } from '../runs_sandbox.ts';
import { findAnvil, type Evm } from '../evm/anvil.ts';
import { chainOf } from '../evm/chains.ts';
import { evmSandbox } from '../evm/launch.ts';
import type { Facilitator } from './facilitator.ts';

const PORT = 'x402_port';
const PAY_TO = 'x402_pay_to';
const PAYER_KEY = 'x402_payer_key';

/** Minimum balance of the wallet for trying it, in millionths of a dollar. */
const USDC = 1_000n * 1_000_000n;
const LOOK_MS = 100;

/**
 * A facilitator of x402 payments on the local chain, unless one is set. It is started once the API
 * answers, so that it delays no start; its address is known before.
 */
export const x402Sandbox: LaunchEntry = {
  name: 'x402 sandbox',
  when: (settings) =>
    evmSandbox.when(settings) &&
    runsSandbox(settings.env, 'x402') &&
    NOT_SET.every((name) => !settings.env[name]),
  async env({ settings: { dataDir }, env }): Promise<Record<string, string>> {
    if (missing().length > 0) return {};
    const node = env.BASE_RPC_URLS!;
    const facilitator = `http://127.0.0.1:${await samePort(dataDir, PORT)}`;
    return {
      X402_FACILITATOR_URL: facilitator,
      X402_RPC_URL: node,
      // Nobody has its key, and no other rail looks at it.
      X402_PAY_TO: storedValue(dataDir, PAY_TO, () => `0x${randomBytes(20).toString('hex')}`),
      ...withPlayMoney(env, 'x402'),
      EGRESS_ALLOW: [env.EGRESS_ALLOW || [], new URL(facilitator).host].flat().join(','),
    };
  },
  start: () => Promise.resolve([]),
  async onReady({ settings: { dataDir } }) {
    if (missing().length > 0) {
      console.log(
        `Sandbox: payments by x402 are off. npm has no ${missing().join(', ')} for this machine, ` +
          `or left it out (--omit=optional). ${SETTINGS.join(', ')} set a real facilitator.`,
      );
      return [];
    }
    console.log('Sandbox: calls are paid by x402 in play money. Try: docs/rails/x402.md');
    return [serviceOf(await chainOf(dataDir, 'base'), dataDir)];
  },
};

const SETTINGS = ['X402_FACILITATOR_URL', 'X402_RPC_URL', 'X402_PAY_TO'];
const NOT_SET = ['X402_FACILITATORS', ...SETTINGS];

/** Required packages that npm may leave out and that are not installed. */
function missing(): string[] {
  const { resolve } = createRequire(import.meta.url);
  const absent = ['@x402/evm', 'viem'].filter((name) => {
    try {
      return !resolve(name);
    } catch {
      return true;
    }
  });
  return findAnvil() ? absent : ['@foundry-rs/anvil', ...absent];
}

/** The facilitator in this process, which begins when the chain answers. */
function serviceOf(chain: Evm, dataDir: string): Service {
  let facilitator: Facilitator | undefined;
  let isStopped = false;
  let end: (reason: string) => void;
  const ended = new Promise<string>((resolve) => (end = resolve));

  /** Balance of an address, once the chain and the token exist. */
  async function balanceOf(address: string): Promise<bigint> {
    for (;;) {
      const has = await chain.balanceOf(address).catch(() => undefined);
      if (has !== undefined) return has;
      if (isStopped) throw new Error('stopped before there was a chain');
      await sleep(LOOK_MS);
    }
  }
  return {
    name: 'x402 sandbox',
    pid: () => process.pid,
    ended: () => ended,
    async start() {
      const payer = await payerIn(dataDir);
      const has = await balanceOf(payer);
      if (has < USDC) await chain.mint(payer, USDC - has);
      const { startFacilitator } = await import('./facilitator.ts');
      facilitator = await startFacilitator(chain, { port: storedPort(dataDir, PORT) });
    },
    async stop() {
      isStopped = true;
      await facilitator?.close();
      end('stopped');
    },
  };
}

/** The wallet for trying it, whose key is in DATA_DIR. */
async function payerIn(dataDir: string): Promise<string> {
  const { Wallet } = await import('ethers');
  return new Wallet(storedValue(dataDir, PAYER_KEY, () => Wallet.createRandom().privateKey))
    .address;
}
