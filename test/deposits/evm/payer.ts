import { hexlify, Interface, randomBytes } from 'ethers';

import { FINAL_AFTER, startEvm, usdcContract, type Evm } from '../../../sandbox/evm/anvil.ts';
import { placeRouter } from '../../../sandbox/evm/router.ts';
import { ROUTER } from '../../../shared/domains/deposits/evm/router/router.ts';
import type { EvmNetwork } from '../../../shared/domains/deposits/evm/settings.ts';
import { eventually } from '../../harness.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
export const TOKEN = new Interface(usdcContract().abi as never);
const ROUTER_CALLS = new Interface(ROUTER.abi as never);

/** An address of nobody. */
export const newAddress = (): string => hexlify(randomBytes(20));

/** A chain with the router on it, and somebody who pays there in any way. */
export interface Paying {
  readonly evm: Evm;
  readonly recipient: string;
  readonly router: string;
  readonly payer: string;
  /** The network as in the settings of a rail. */
  network(rpcUrls: readonly string[], quorum?: number): EvmNetwork;
  /** Each resolves with the hash of its transaction. */
  coin(to: string, wei: bigint): Promise<string>;
  usdc(to: string, amount: bigint): Promise<string>;
  /** A call of a contract, which may fail. */
  call(to: string, data: string, value?: bigint): Promise<string>;
  /** Pays the coin, or USDC, by the router. */
  byRouter(reference: string, paid: { wei?: bigint; usdc?: bigint }): Promise<string>;
  /** Anybody has the router pay on the USDC that was transferred to it. */
  sweepRouter(): Promise<string>;
  /** Pays the coin from within a contract. */
  withinContract(to: string, wei: bigint): Promise<string>;
  /** A contract that is no USDC logs that so much was paid. */
  forged(to: string, amount: bigint): Promise<string>;
  /** Makes a contract. Resolves with its address. */
  deploy(bytecode: string): Promise<string>;
  /** Everything so far becomes final. */
  finalize(): Promise<void>;
  close(): Promise<void>;
}

/** Calls its argument, an address, with the coin that it is sent. */
const FORWARDER = '0x5f5f5f5f345f355af100';
/** Logs a Transfer from, to and of its three arguments. */
const FORGER = `0x6040355f526020355f357f${TRANSFER.slice(2)}60205fa300`;

const word = (value: string | bigint): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0');

export async function openPaying(chainId = 8453, isLong = false): Promise<Paying> {
  const evm = await startEvm({ chainId, isLong });
  const [payer = ''] = (await evm.send('eth_accounts')) as string[];
  const recipient = newAddress();
  const router = await placeRouter(evm, recipient);
  const [forwarder, forger] = [newAddress(), newAddress()];
  await evm.send('anvil_setCode', [forwarder, FORWARDER]);
  await evm.send('anvil_setCode', [forger, FORGER]);
  await evm.mint(payer, 1_000_000_000_000n);

  const sendNow = async (transaction: object): Promise<string> => {
    // With its gas given, the node does not refuse one that fails.
    const whole = { from: payer, gas: '0x7a120', ...transaction };
    const hash = (await evm.send('eth_sendTransaction', [whole])) as string;
    // The node answers before it has made the block.
    await eventually(
      () => evm.send('eth_getTransactionReceipt', [hash]),
      (receipt) => receipt !== null,
    );
    return hash;
  };
  // The node may give two at once the same nonce.
  let last: Promise<unknown> = Promise.resolve();
  const send = (transaction: object): Promise<string> => {
    const sent = last.catch(() => undefined).then(() => sendNow(transaction));
    last = sent;
    return sent;
  };
  const hex = (value: bigint) => `0x${value.toString(16)}`;
  const call = (to: string, data: string, value = 0n) => send({ to, data, value: hex(value) });
  return {
    evm,
    recipient,
    router,
    payer,
    call,
    network: (rpcUrls, quorum = rpcUrls.length) => ({
      chainId,
      rpcUrls,
      quorum,
      isSandbox: true,
      coin: 'ETH',
      tokens: new Map([[evm.usdc.toLowerCase(), 'USDC']]),
      finality: 'finalized',
      address: recipient,
      router,
      own: new Set([recipient]),
    }),
    coin: (to, wei) => send({ to, value: hex(wei) }),
    usdc: (to, amount) => call(evm.usdc, TOKEN.encodeFunctionData('transfer', [to, amount])),
    async byRouter(reference, { wei, usdc = 0n }) {
      if (wei !== undefined) {
        return call(router, ROUTER_CALLS.encodeFunctionData('deposit', [reference]), wei);
      }
      await call(evm.usdc, TOKEN.encodeFunctionData('approve', [router, usdc]));
      const data = ROUTER_CALLS.encodeFunctionData('depositToken', [evm.usdc, usdc, reference]);
      return call(router, data);
    },
    sweepRouter: () => call(router, ROUTER_CALLS.encodeFunctionData('sweep', [evm.usdc])),
    withinContract: (to, wei) => call(forwarder, `0x${word(to)}`, wei),
    forged: (to, amount) => call(forger, `0x${word(payer)}${word(to)}${word(amount)}`),
    async deploy(data) {
      const receipt = await evm.send('eth_getTransactionReceipt', [await send({ data })]);
      return (receipt as { contractAddress: string }).contractAddress;
    },
    finalize: () => evm.mine(FINAL_AFTER),
    close: () => evm.close(),
  };
}
