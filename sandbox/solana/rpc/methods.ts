import { accountMethods } from './account_methods.ts';
import type { SolanaChain } from '../chain.ts';
import { commitmentIn, withContext, type Method, type Params } from './method.ts';
import { RpcError } from '../rpc_error.ts';
import { transactionMethods } from './transaction_methods.ts';

/** The JSON-RPC methods of this node: https://solana.com/docs/rpc/http. */
export function methodsOf(chain: SolanaChain): ReadonlyMap<string, Method> {
  const { slots } = chain;
  const cluster: Record<string, Method> = {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': '2.3.0', 'feature-set': 0 }),
    getGenesisHash: () => chain.genesis,
    getSlot: ([options]) => reached(chain, options),
    getBlockHeight: ([options]) => reached(chain, options),
    getFirstAvailableBlock: () => 0,
    getEpochInfo: () => ({
      absoluteSlot: slots.current(),
      blockHeight: slots.current(),
      epoch: 0,
      slotIndex: slots.current(),
      slotsInEpoch: 432_000,
      transactionCount: chain.count(),
    }),
    getBlockTime([slot]) {
      const time = slots.timeOf(slot);
      if (time === undefined) throw new RpcError(-32004, `Block not available for slot ${slot}`);
      return time;
    },
    getLatestBlockhash: () => withContext(chain, slots.latest()),
    isBlockhashValid: ([hash]) => withContext(chain, slots.isValid(hash)),
    getRecentPrioritizationFees: () => [{ slot: slots.current(), prioritizationFee: 0 }],
  };
  const all = { ...cluster, ...accountMethods(chain), ...transactionMethods(chain) };
  return new Map(Object.entries(all));
}

/** Newest slot of the commitment that a call asks for. */
const reached = ({ slots }: SolanaChain, options: Params[number]): number =>
  slots.at(commitmentIn(options));
