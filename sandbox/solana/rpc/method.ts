import type { SolanaChain } from '../chain.ts';
import { RpcError } from '../rpc_error.ts';
import { COMMITMENTS, type Commitment } from '../slots.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- read by each method itself
export type Params = readonly any[];
/** Returns the result of a JSON-RPC method. Throws RpcError. */
export type Method = (params: Params) => unknown;

/** Commitment of a call; finalized by default. */
export function commitmentIn(options: { commitment?: Commitment } = {}): Commitment {
  const { commitment = 'finalized' } = options;
  if (COMMITMENTS.includes(commitment)) return commitment;
  throw new RpcError(-32602, `Invalid params: unknown variant \`${String(commitment)}\``);
}

/** A value with the slot at which it was read: the newest, or that of a commitment. */
export const withContext = <T>({ slots }: SolanaChain, value: T, commitment?: Commitment) => ({
  context: {
    apiVersion: '2.3.0',
    slot: commitment === undefined ? slots.current() : slots.at(commitment),
  },
  value,
});
