import { Interface, Wallet } from 'ethers';

import { findAnvil, type Evm } from '../../../../sandbox/evm/anvil.ts';
import { placeRouter } from '../../../../sandbox/evm/router.ts';
import { ROUTER } from '../../../../shared/domains/deposits/evm/router/router.ts';
import { openChain } from '../../../withdrawals/chain.ts';
import { openFaultyRpc, type FaultyRpc } from '../../../withdrawals/faulty_rpc.ts';
import { walletWith } from '../../../x402/wallets.ts';
import { randomOf } from '../../random.ts';

/** A chain on which a drill pays and is paid. */
export interface DrillChain {
  readonly evm: Evm;
  /** Settings of the processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Our address, which is paid by x402. */
  readonly payTo: string;
  /** Pays in so many micro-dollars of ETH by the router, with a reference. Resolves with the id. */
  readonly payIn: (micros: number, reference: string) => Promise<string>;
  /** Wallets that have PAYER_USD and no account. Whoever uses one takes it from the list. */
  readonly payers: Wallet[];
  close(): Promise<void>;
}

export const PAYER_USD = 100;
const PAYERS = 6;
const HOT_WALLET_USD = 1_000_000;
const BLOCK_SECONDS = 1;
/** One question in so many gets no answer, and one receipt in so many is not known yet. */
const BROKEN_ONE_IN = 25;
const UNKNOWN_ONE_IN = 10;
const METHODS = [
  'eth_getBlockByNumber',
  'eth_getTransactionReceipt',
  'eth_getTransactionCount',
  'eth_getLogs',
  'eth_sendRawTransaction',
];

/**
 * A real node, a facilitator on it, and a provider of two that now and then does what providers do.
 * Undefined where npm has no node for this machine.
 */
export async function openDrillChain(): Promise<DrillChain | undefined> {
  if (!findAnvil()) return undefined;
  const { evm, env } = await openChain({ usd: HOT_WALLET_USD });
  const payers: Wallet[] = [];
  for (let n = 0; n < PAYERS; n += 1) payers.push(await walletWith(evm, PAYER_USD));
  const treasury = Wallet.createRandom().address;
  const router = await placeRouter(evm, treasury);
  const { startFacilitator } = await import('../../../../sandbox/x402/facilitator.ts');
  const [facilitator, rpc] = await Promise.all([startFacilitator(evm), openFaultyRpc(evm.url)]);
  failNowAndThen(rpc);
  // With a block for each transaction the clock of the chain would run ahead.
  await evm.send('evm_setAutomine', [false]);
  await evm.send('evm_setIntervalMining', [BLOCK_SECONDS]);
  const payTo = Wallet.createRandom().address;
  return {
    evm,
    payTo,
    payers,
    payIn: payerBy(evm, router),
    env: {
      ...env,
      BASE_RPC_URLS: [evm.url, rpc.url].join(' '),
      EVM_DEPOSIT_ADDRESS: treasury,
      BASE_DEPOSIT_ROUTER: router,
      X402_FACILITATOR_URL: facilitator.url,
      X402_RPC_URL: rpc.url,
      X402_PAY_TO: payTo,
    },
    async close() {
      rpc.close();
      await facilitator.close();
      await evm.close();
    },
  };
}

const ROUTER_CALLS = new Interface(ROUTER.abi as never);
/** An ETH is worth $3 000. What is beyond a micro-dollar is not credited. */
const weiOf = (micros: number): bigint => (BigInt(micros) * 10n ** 12n + 2_999n) / 3_000n;

/** By an account of the node that nothing else uses. */
function payerBy(evm: Evm, router: string): DrillChain['payIn'] {
  let last: Promise<unknown> = Promise.resolve();
  let nonce = 0;
  const pay = async (micros: number, reference: string): Promise<string> => {
    const [, from] = (await evm.send('eth_accounts')) as string[];
    const data = ROUTER_CALLS.encodeFunctionData('deposit', [reference]);
    const hex = (value: bigint | number) => `0x${value.toString(16)}`;
    const call = { from, to: router, data, value: hex(weiOf(micros)), gas: '0x7a120' };
    const hash = await evm.send('eth_sendTransaction', [{ ...call, nonce: hex(nonce) }]);
    nonce += 1;
    return String(hash);
  };
  return (micros, reference) => {
    const sent = last.then(() => pay(micros, reference));
    last = sent.catch(() => undefined);
    return sent;
  };
}

/** The call has its effect: only the answer is lost. */
function failNowAndThen(rpc: FaultyRpc): void {
  const random = randomOf(1);
  for (const method of METHODS) {
    rpc.on(method, async (_params, forward) => {
      const answer = await forward();
      if (random.below(BROKEN_ONE_IN) === 0) return 'break';
      const isUnknown = random.below(UNKNOWN_ONE_IN) === 0;
      return method === 'eth_getTransactionReceipt' && isUnknown ? null : answer;
    });
  }
}
