import { getAddress, Interface, isAddress, Transaction } from 'ethers';

import {
  GAS_LIMIT,
  type ChainPayment,
  type Fees,
  type PayoutGateway,
  type WalletState,
} from '../../../shared/domains/withdrawals/payout_gateway.ts';
import type { WithdrawalSettings } from '../../../shared/domains/withdrawals/settings.ts';
import { openChain, type Chain, type LogLine } from './chain.ts';
import { finalBlockBy } from './final_block.ts';
import { finalBlockOf, outcomeOf } from './nonce_outcome.ts';
import { openHotWallet } from './hot_wallet.ts';
import { sameOf } from './quorum_answers.ts';
import { openProfiles } from '../rpc/profiles.ts';
import { RpcRefusal } from '../rpc/refusal.ts';

const TOKEN = new Interface([
  'function transfer(address to, uint256 value)',
  'function balanceOf(address holder) view returns (uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const TRANSFER = TOKEN.getEvent('Transfer')!.topicHash;

/** The contract of Base that says what a transaction costs on Ethereum. Other chains have none. */
const GAS_ORACLE = '0x420000000000000000000000000000000000000F';
const ORACLE = new Interface(['function getL1FeeUpperBound(uint256 size) view returns (uint256)']);
/** Bytes of an unsigned payment, which has some 120. */
const PAYMENT_BYTES_MAX = 200;
/** The fee may rise so much before the transaction is taken. */
const LOWER_FEE_FACTOR = 2n;

export function openPayouts(
  { base }: WithdrawalSettings,
  profiles = openProfiles(),
): PayoutGateway {
  const chain = openChain(base, profiles);
  const hotWallet = openHotWallet(base);
  const token = getAddress(base.usdc.toLowerCase());

  return {
    addressOf(text) {
      // An address in mixed case has a checksum; isAddress checks it.
      return /^0x[\da-fA-F]{40}$/.test(text) && isAddress(text) ? getAddress(text) : undefined;
    },

    wallet: async () => walletState(chain, token, await hotWallet.address()),

    async refusalOf({ to, amount }) {
      const data = TOKEN.encodeFunctionData('transfer', [to, amount]);
      const call = { from: await hotWallet.address(), to: token, data };
      const refusals = await chain.each((provider) =>
        provider.ask('eth_call', [call, 'latest']).then(() => undefined, revertOf),
      );
      return refusals.every((refusal) => refusal !== undefined) ? refusals[0] : undefined;
    },

    async sign({ to, amount, nonce, fees }) {
      const transaction = Transaction.from({
        type: 2,
        chainId: base.chainId,
        nonce,
        to: token,
        value: 0n,
        data: TOKEN.encodeFunctionData('transfer', [to, amount]),
        gasLimit: GAS_LIMIT,
        maxFeePerGas: fees.max,
        maxPriorityFeePerGas: fees.priority,
      });
      const bytes = await hotWallet.sign(transaction);
      return { hash: Transaction.from(bytes).hash!, bytes };
    },

    async send(bytes) {
      const refusals = await chain.each((provider) =>
        provider.ask('eth_sendRawTransaction', [bytes]).then(
          () => [],
          (error: Error) => [error.message],
        ),
      );
      return refusals.flat();
    },

    async fateOf(sent) {
      return outcomeOf(chain, sent, { token, from: await hotWallet.address(), topic: TRANSFER });
    },

    async paymentsIn(from, to) {
      const filter = {
        address: token,
        fromBlock: hex(from),
        toBlock: hex(to),
        topics: [TRANSFER, topicOf(await hotWallet.address())],
      };
      const answers = await chain.ask<LogLine[]>('eth_getLogs', [filter]);
      // Anybody can make a transfer of nothing from anybody.
      const moved = answers.map((logs) => logs.filter(({ data }) => BigInt(data) > 0n));
      return agreed(
        moved.map((logs) => logs.map(paymentOf)),
        chain.quorum,
      );
    },
  };
}

/** The token's message that refused a payment. Throws errors that are not about the payment. */
function revertOf(error: unknown): string {
  if (!(error instanceof RpcRefusal) || !/revert/i.test(error.message)) throw error;
  if (/exceeds balance/i.test(error.message)) throw error;
  return error.message;
}

const paymentOf = (log: LogLine): ChainPayment => ({
  hash: log.transactionHash.toLowerCase(),
  logIndex: Number(log.logIndex),
  to: getAddress(`0x${log.topics[2]!.slice(26)}`),
  amount: BigInt(log.data),
  block: Number(log.blockNumber),
});

/** The payments that a quorum of providers reports. */
function agreed(
  answers: readonly (readonly ChainPayment[])[],
  quorum: number,
): readonly ChainPayment[] {
  const shown = (payments: readonly ChainPayment[]) =>
    payments.map(({ hash, logIndex, to, amount }) => `${hash} ${logIndex} ${to} ${amount}`).join();
  const same = sameOf(answers, quorum, shown);
  if (!same) throw new Error('the providers do not agree on what left the hot wallet');
  return same;
}

const hex = (number: number) => `0x${number.toString(16)}`;
const topicOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

interface Block {
  readonly number: string;
  readonly baseFeePerGas?: string;
}

async function walletState(chain: Chain, token: string, address: string): Promise<WalletState> {
  const data = TOKEN.encodeFunctionData('balanceOf', [address]);
  const oracle = ORACLE.encodeFunctionData('getL1FeeUpperBound', [PAYMENT_BYTES_MAX]);
  const [latest, final, used, usdc, native, priority, lowerFees] = await Promise.all([
    chain.ask<Block>('eth_getBlockByNumber', ['latest', false]),
    chain.each(finalBlockBy),
    chain.ask<string>('eth_getTransactionCount', [address, 'latest']),
    chain.ask<string>('eth_call', [{ to: token, data }, 'latest']),
    chain.ask<string>('eth_getBalance', [address, 'latest']),
    chain.ask<string>('eth_maxPriorityFeePerGas', []),
    chain.ask<string>('eth_call', [{ to: GAS_ORACLE, data: oracle }, 'latest']),
  ]);
  return {
    address,
    chainId: chain.chainId,
    used: Math.max(...used.map(Number)),
    block: Math.max(...latest.map(({ number }) => Number(number))),
    finalBlock: finalBlockOf(final, chain.quorum),
    usdc: least(usdc),
    native: least(native),
    fees: feesOf(latest, priority),
    // Where there is no such contract, a call answers nothing.
    lowerFee: most(lowerFees.map((fee) => (fee === '0x' ? '0x0' : fee))) * LOWER_FEE_FACTOR,
  };
}

const least = (values: readonly string[]): bigint =>
  values.map(BigInt).reduce((a, b) => (a < b ? a : b));
const most = (values: readonly string[]): bigint =>
  values.map(BigInt).reduce((a, b) => (a > b ? a : b));

/** The fees. The base fee may double before the transaction is taken. */
function feesOf(latest: readonly Block[], priorities: readonly string[]): Fees {
  const priority = most(priorities);
  const base = most(latest.map(({ baseFeePerGas }) => baseFeePerGas ?? '0x0'));
  const max = base * 2n + priority;
  return { max: max > 0n ? max : 1n, priority };
}
