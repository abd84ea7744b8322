import { randomBytes } from 'node:crypto';

import { usdcContract } from '../../../sandbox/evm/anvil.ts';
import { startJavaTron, type JavaTron } from '../../../sandbox/tron/java_tron.ts';
import { hexOfTron, tronOfHex } from '../../../shared/domains/deposits/tron/address.ts';
import { TRON_CHAIN_ID } from '../../../shared/domains/deposits/tron/network.ts';
import type { TronNetwork } from '../../../shared/domains/deposits/tron/settings.ts';
import { openPaying, type Paying } from '../evm/payer.ts';

export const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

/** Nobody has its key. */
export const newTronAddress = (): string => tronOfHex(`0x${randomBytes(20).toString('hex')}`);

/** A chain like Tron with USDT on it, and somebody who pays there. Addresses begin with T. */
export interface TronPaying {
  readonly paying: Paying;
  /** A node as operators of Tron run it. */
  readonly node: JavaTron;
  readonly recipient: string;
  readonly payer: string;
  network(rpcUrls: readonly string[], quorum?: number): TronNetwork;
  /** Each resolves with the id of its transaction, as people write it: without 0x. */
  usdt(to: string, amount: bigint): Promise<string>;
  /** Sends from the platform's own address. */
  ours(to: string, amount: bigint): Promise<string>;
  /** Amount that this address sends. */
  sentBy(from: string, to: string, amount: bigint): Promise<string>;
  /** More than the payer has, so it fails. */
  tooMuch(to: string): Promise<string>;
  trx(to: string, sun: bigint): Promise<string>;
  /** A contract that is no USDT logs that so much was paid. */
  forged(to: string, amount: bigint): Promise<string>;
  close(): Promise<void>;
}

const TRANSFER = '0xa9059cbb';
const MINT = '0x40c10f19';
const word = (value: string) => value.replace(/^0x/, '').padStart(64, '0');

export async function openTronPaying(): Promise<TronPaying> {
  const paying = await openPaying(TRON_CHAIN_ID);
  const usdt = hexOfTron(USDT)!;
  await paying.evm.send('anvil_setCode', [usdt, usdcContract().deployed]);
  const node = await startJavaTron(paying.evm.url);
  const call = async (selector: string, to: string, amount: bigint) => {
    const data = selector + word(hexOfTron(to)!) + word(amount.toString(16));
    return (await paying.call(usdt, data)).slice(2);
  };
  const payer = tronOfHex(paying.payer);
  const recipient = tronOfHex(paying.recipient);
  async function sentBy(sender: string, to: string, amount: bigint) {
    const { evm } = paying;
    const from = hexOfTron(sender)!;
    await evm.fund(from, 10n ** 18n);
    await evm.send('anvil_impersonateAccount', [from]);
    const data = TRANSFER + word(hexOfTron(to)!) + word(amount.toString(16));
    const hash = await evm.send('eth_sendTransaction', [{ from, to: usdt, data }]);
    return String(hash).slice(2);
  }
  await call(MINT, payer, 10n ** 15n);
  return {
    paying,
    node,
    recipient,
    payer,
    network: (rpcUrls, quorum = rpcUrls.length) => ({
      rpcUrls,
      quorum,
      isSandbox: true,
      usdt: USDT,
      address: recipient,
    }),
    usdt: (to, amount) => call(TRANSFER, to, amount),
    ours: (to, amount) => sentBy(recipient, to, amount),
    sentBy,

    tooMuch: (to) => call(TRANSFER, to, 10n ** 18n),
    trx: async (to, sun) => (await paying.coin(hexOfTron(to)!, sun)).slice(2),
    forged: async (to, amount) => (await paying.forged(hexOfTron(to)!, amount)).slice(2),
    async close() {
      await node.close();
      await paying.close();
    },
  };
}
