import type { Config } from '../../../shared/composition/config.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import type { X402Gateway } from '../../../shared/x402/gateway.ts';
import { findOnChain } from './chain.ts';
import { askFacilitator } from './facilitator.ts';

/** A facilitator and a node of the chain, which may both be hostile, and need not be the same. */
export function openX402({ x402: rail }: Pick<Config, 'x402'>, egress: Egress): X402Gateway {
  if (!rail)
    throw new Error('a payment was recorded, and X402_FACILITATOR_URL is not set any more');
  return {
    settle: (payment) => askFacilitator(rail, egress, payment),
    find: (payment) => findOnChain(rail, egress, payment),
  };
}
