import { AbiCoder, concat, getCreate2Address, keccak256 } from 'ethers';

import { ROUTER } from '../../shared/deposits/evm/router/router.ts';
import type { Evm } from './anvil.ts';

/** A contract that real networks have at this address, and anvil too. It makes others. */
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const SALT = `0x${'0'.repeat(64)}`;

/** The deposit router that pays this recipient: where it is, and the call that makes it. */
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

/** Makes it, unless it is there. Resolves with its address. */
export async function placeRouter(evm: Evm, recipient: string): Promise<string> {
  const { address, call } = routerFor(recipient);
  if ((await evm.send('eth_getCode', [address, 'latest'])) !== '0x') return address;
  const [from] = (await evm.send('eth_accounts')) as string[];
  await evm.send('eth_sendTransaction', [{ from, ...call }]);
  return address;
}
