import type { Config } from '../../../shared/composition/config.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import type { X402Gateway } from '../../../shared/x402/gateway.ts';
import type { X402Rail } from '../../../shared/x402/settings.ts';
import { openChecked } from '../evm/chain.ts';
import { findOnChain } from './chain.ts';
import { askFacilitator } from './facilitator.ts';
import { refusalOf } from './trial.ts';

const NODE_MS_MAX = 5_000;

/** A facilitator and a node of the chain, which may both be hostile, and need not be the same. */
export function openX402({ x402: rail }: Pick<Config, 'x402'>, egress: Egress): X402Gateway {
  if (!rail)
    throw new Error('a payment was recorded, and X402_FACILITATOR_URL is not set any more');
  const node = openChecked(rail.rpcUrl, chainIdOf(rail), NODE_MS_MAX);
  return {
    refusalOf: (payment) => refusalOf(node, rail, payment),
    settle: (payment) => askFacilitator(rail, egress, payment),
    find: (payment) => findOnChain(node, rail, payment),
  };
}

/** In the name of the network: eip155:<id>. */
const chainIdOf = ({ network }: X402Rail): number => Number(network.split(':')[1]);
