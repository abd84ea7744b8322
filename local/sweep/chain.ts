import { setTimeout as sleep } from 'node:timers/promises';

import { Interface, Transaction, type BaseWallet } from 'ethers';

import type { EvmChain } from '../../shared/domains/deposits/evm/settings.ts';
import type { Question } from '../../workers/gateways/rpc/question.ts';
import { NotSwept } from './keys.ts';
import { openProviders } from './providers.ts';

const TOKEN = new Interface([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
]);
/** Addresses in one request. */
const ASKED_AT_ONCE = 50;
const MINED_MS_MAX = 180_000;
const LOOK_MS = 250;

/** Balances of an address, in base units; tokens by their contracts. */
export interface Holding {
  readonly coin: bigint;
  readonly tokens: ReadonlyMap<string, bigint>;
}

interface Call {
  readonly to: string;
  readonly value?: bigint;
  readonly data?: string;
}

/** A network by its providers. Answers of fewer than the quorum are not believed. */
export function openSweptChain(network: EvmChain) {
  const providers = openProviders(network);
  const { hosts, quorum, ask, askOne, reached } = providers;
  const number = async (method: string, params: readonly unknown[]): Promise<bigint> =>
    reached(await askOne(method, params));
  const contracts = [...network.tokens.keys()];

  async function holdingsOf(addresses: readonly string[]): Promise<readonly Holding[]> {
    const holdings: Holding[] = [];
    for (let at = 0; at < addresses.length; at += ASKED_AT_ONCE) {
      const some = addresses.slice(at, at + ASKED_AT_ONCE);
      const questions = some.flatMap((address) => questionsOf(address));
      const said = await ask(questions);
      const answers = questions.map((_, n) => reached(said.map((one) => one[n])));
      const each = 1 + contracts.length;
      for (let n = 0; n < some.length; n += 1) {
        const [coin, ...tokens] = answers.slice(n * each, (n + 1) * each);
        const byContract = contracts.map((contract, i) => [contract, tokens[i]!] as const);
        holdings.push({ coin: coin!, tokens: new Map(byContract) });
      }
    }
    return holdings;
  }
  const questionsOf = (address: string): Question[] => [
    ['eth_getBalance', [address, 'latest']],
    ...contracts.map((to): Question => {
      const data = TOKEN.encodeFunctionData('balanceOf', [address]);
      return ['eth_call', [{ to, data }, 'latest']];
    }),
  ];

  /** Maximum price of a unit of gas: twice the current one, and the tip. */
  async function fees() {
    const blocks = await askOne('eth_getBlockByNumber', ['latest', false]);
    const base = reached(blocks.map((block) => (block as RawBlock).baseFeePerGas));
    const tip = await number('eth_maxPriorityFeePerGas', []);
    return { maxFeePerGas: 2n * base + tip, maxPriorityFeePerGas: tip };
  }

  const gasFor = (from: string, { to, value = 0n, data = '0x' }: Call): Promise<bigint> =>
    number('eth_estimateGas', [{ from, to, data, value: `0x${value.toString(16)}` }]);

  /** Signs here, sends, and waits until it is in a block. Returns its hash. */
  async function send(wallet: BaseWallet, call: Call, gasLimit: bigint): Promise<string> {
    const { address } = wallet;
    const nonce = await number('eth_getTransactionCount', [address, 'latest']);
    const pending = await askOne('eth_getTransactionCount', [address, 'pending']);
    if (pending.some((count) => BigInt(String(count)) > nonce)) {
      throw new NotSwept(`${address} has a transaction that is in no block yet: wait for it.`);
    }
    const { chainId } = network;
    const transaction = Transaction.from({
      type: 2,
      chainId,
      nonce: Number(nonce),
      gasLimit,
      ...(await fees()),
      to: call.to,
      value: call.value ?? 0n,
      data: call.data ?? '0x',
    });
    const signed = await wallet.signTransaction(transaction);
    const hash = Transaction.from(signed).hash!;
    await providers.send(signed);
    await mined(hash);
    return hash;
  }

  async function mined(hash: string): Promise<void> {
    for (const since = Date.now(); Date.now() - since < MINED_MS_MAX; await sleep(LOOK_MS)) {
      const receipts = (await askOne('eth_getTransactionReceipt', [hash])) as Receipt[];
      const ends = receipts.flatMap((receipt) => (receipt ? Number(receipt.status) : []));
      if (ends.filter((end) => end === 1).length >= quorum) return;
      if (ends.filter((end) => end === 0).length < quorum) continue;
      throw new NotSwept(`${hash} has failed. Nothing more was sent.`);
    }
    throw new NotSwept(`${hash} is in no block yet. Nothing more was sent; look for it first.`);
  }

  return { hosts, holdingsOf, fees, gasFor, send };
}
export type SweptChain = ReturnType<typeof openSweptChain>;

interface RawBlock {
  readonly baseFeePerGas: string;
}
type Receipt = { readonly status: string } | null;

/** A transfer of a token. */
export const tokenTransfer = (contract: string, to: string, amount: bigint): Call => ({
  to: contract,
  data: TOKEN.encodeFunctionData('transfer', [to, amount]),
});
