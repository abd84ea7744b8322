import { AbiCoder, concat, getCreate2Address, keccak256 } from 'ethers';

import { ROUTER } from '../../shared/domains/deposits/evm/router/router.ts';
import type { Evm } from './anvil.ts';

/** A factory contract at the same address on real networks and in anvil. */
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const SALT = `0x${'0'.repeat(64)}`;

/** The deposit router for this recipient: its address, and the call that creates it. */
export function routerFor(recipient: string) {
  const code = concat([
    ROUTER.bytecode,
    AbiCoder.defaultAbiCoder().encode(['address'], [recipient]),
  ]);
  return {
    address: getCreate2Address(DEPLOYER, SALT, keccak256(code)).toLowerCase(),
    call: { to: DEPLOYER, data: concat([SALT, code]) },
  };
}

/** Creates the router, unless it exists. Resolves with its address. */
export async function placeRouter(evm: Evm, recipient: string): Promise<string> {
  const { address, call } = routerFor(recipient);
  if ((await evm.send('eth_getCode', [address, 'latest'])) !== '0x') return address;
  const [from] = (await evm.send('eth_accounts')) as string[];
  await evm.send('eth_sendTransaction', [{ from, ...call }]);
  return address;
}
