import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { hexOfTron } from '../../shared/domains/deposits/tron/address.ts';
import { tronChain } from '../../sandbox/tron/chain.ts';
import { readLocalSettings } from '../settings.ts';
import { NotPaid } from './market.ts';
import type { PayRail } from './rail.ts';

interface Info {
  readonly networks: readonly {
    readonly wallet_ready: boolean;
    readonly sandbox: boolean;
    readonly address: string | null;
  }[];
}

const TRANSFER = '0xa9059cbb';
const LOOK_MS = 200;

/** Pays by a transfer of USDT on the sandbox's chain, to the agent's own address. */
export const usdtTron: PayRail = {
  name: 'usdt-tron',
  usage: '',
  async pay(market, { amount }, say) {
    const { networks } = await market.call<Info>('GET /api/v1/tron/info');
    const { address, sandbox } = networks[0]!;
    if (address === null) throw new NotPaid('This marketplace takes nothing on Tron.');
    if (!sandbox) {
      throw new NotPaid(`This marketplace takes real USDT: pay it to ${address} with a wallet.`);
    }
    const chain = await tronChain(resolve(readLocalSettings().dataDir));
    const send = async <T>(method: string, params: readonly unknown[]) =>
      (await chain.send(method, params)) as T;
    const units = BigInt(Math.round(amount * 1e6));
    const [from = ''] = await send<string[]>('eth_accounts', []);
    await chain.mint(from, units);
    const data = TRANSFER + wordOf(hexOfTron(address)!) + wordOf(units.toString(16));
    const hash = await send<string>('eth_sendTransaction', [{ from, to: chain.usdc, data }]);
    say(`address    ${address}`);
    say(`transfer   ${hash.slice(2)}`);
    for (;;) {
      const receipt = await send<{ blockNumber: string } | null>('eth_getTransactionReceipt', [
        hash,
      ]);
      const final = await send<{ number: string }>('eth_getBlockByNumber', ['finalized', false]);
      if (receipt && Number(final.number) >= Number(receipt.blockNumber)) break;
      await sleep(LOOK_MS);
    }
    await market.call('POST /api/v1/tron/verify', { tx_id: hash.slice(2) });
  },
};

const wordOf = (hex: string) => hex.replace(/^0x/, '').padStart(64, '0');
