import { hashMessage, Interface } from 'ethers';

import type { EvmNetwork } from '../../../shared/domains/deposits/evm/settings.ts';
import type { SignedText } from '../../../shared/domains/deposits/wallets/wallet_gateway.ts';
import { openJsonRpc } from '../rpc/json_rpc.ts';
import type { Profiles } from '../rpc/profiles.ts';
import { RpcRefusal } from '../rpc/refusal.ts';
import { checked } from './provider.ts';
import { headerAt, type Ask } from './questions.ts';
import type { RawHeader } from './transfers.ts';

/** Methods of EIP-1271. */
const CALLS = new Interface([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);
/** Answer for a valid signature, as one word. */
const VALID = `0x1626ba7e${'0'.repeat(56)}`;

/**
 * Whether the contract at an address accepts a signature (EIP-1271), as wallets without a key of
 * their own do. As for payments, a quorum of providers must say so about a final block, or about
 * one that is well behind the newest if they no longer have the state of that. Throws if those that
 * do not answer could decide.
 */
export function openContracts(
  network: EvmNetwork,
  profiles: Profiles,
): (signed: SignedText) => Promise<boolean> {
  const providers = network.rpcUrls.map((url) =>
    checked(openJsonRpc(url, { profile: profiles.of(url) }), network),
  );
  return async ({ address, text, signature }) => {
    const data = CALLS.encodeFunctionData('isValidSignature', [hashMessage(text), signature]);
    const call = { to: address, data };
    const said = await Promise.allSettled(
      providers.map((ask) => isTaken(ask, call, network.finality)),
    );
    const taken = said.filter((one) => one.status === 'fulfilled' && one.value).length;
    const faults = said.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    if (taken < network.quorum && taken + faults.length >= network.quorum) throw faults[0];
    return taken >= network.quorum;
  };
}

/** Ordinary nodes keep the state of 128 blocks. So far back, few chains are undone. */
const KEPT_BLOCKS = 64;

async function isTaken(ask: Ask, call: object, block: string): Promise<boolean> {
  try {
    const [answer] = await ask<[unknown]>([['eth_call', [call, block]]]);
    return answer === VALID;
  } catch (error) {
    if (error instanceof RpcRefusal && error.kind === 'history' && !block.startsWith('0x')) {
      const [latest] = await ask<[RawHeader]>([headerAt('latest')]);
      const kept = Math.max(0, Number(latest.number) - KEPT_BLOCKS);
      return isTaken(ask, call, `0x${kept.toString(16)}`);
    }
    // A contract that rejects it, or is no wallet, may end the call like this.
    if (error instanceof RpcRefusal && FAILED.test(error.message)) return false;
    throw error;
  }
}

const FAILED = /revert|invalid opcode|out of gas|stack|EVM error/i;
