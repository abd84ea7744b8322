import { Interface } from 'ethers';

import type { RecordedPayment } from '../../../shared/domains/x402/gateway.ts';
import { NONCE_USED } from '../../../shared/domains/x402/outcomes.ts';
import type { X402Rail } from '../../../shared/domains/x402/settings.ts';
import type { JsonRpc } from '../rpc/json_rpc.ts';
import { RpcRefusal } from '../rpc/refusal.ts';

const TRANSFER = 'transferWithAuthorization';
const FIELDS =
  'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce';
/** FiatTokenV2_2: it also accepts signatures of contract wallets (EIP-1271). */
const ASSET = new Interface([`function ${TRANSFER}(${FIELDS}, bytes signature)`]);

/** Messages of the asset, with the protocol's reasons for them. */
const REASONS = [
  [/signature/i, 'invalid_exact_evm_signature'],
  [/exceeds balance/i, 'insufficient_funds'],
  [/used or canceled/i, NONCE_USED],
  [/expired/i, 'invalid_exact_evm_payload_authorization_valid_before'],
  [/not yet valid/i, 'invalid_exact_evm_payload_authorization_valid_after'],
] as const;

/**
 * The reason why the chain would refuse a payment; undefined: it would not. It is a call that is
 * not sent, so the asset itself checks signature, balance, nonce and time. Rejects if the node does
 * not answer.
 */
export async function refusalOf(
  node: Pick<JsonRpc, 'ask'>,
  rail: X402Rail,
  { signature, authorization: sent }: RecordedPayment,
): Promise<string | undefined> {
  const { from, to, value, validAfter, validBefore, nonce } = sent;
  const args = [from, to, value, validAfter, validBefore, nonce, signature];
  const data = ASSET.encodeFunctionData(TRANSFER, args);
  try {
    await node.ask('eth_call', [{ from: rail.payTo, to: rail.asset, data }, 'latest']);
    return undefined;
  } catch (error) {
    if (!(error instanceof RpcRefusal) || !/revert/i.test(error.message)) throw error;
    const { message } = error;
    const [, reason] = REASONS.find(([says]) => says.test(message)) ?? [];
    return reason ?? 'invalid_exact_evm_transaction_simulation_failed';
  }
}
