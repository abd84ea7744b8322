import type { Config } from '../../../shared/composition/config.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import type { X402Gateway } from '../../../shared/domains/x402/gateway.ts';
import type { X402Rail } from '../../../shared/domains/x402/settings.ts';
import type { Store } from '../../../shared/platform/redis.ts';
import { openChecked } from '../evm/chain.ts';
import { finalBlockBy } from '../evm/final_block.ts';
import { openProfiles, type Profiles } from '../rpc/profiles.ts';
import { findOnChain } from './chain.ts';
import { openFacilitators } from './facilitators.ts';
import { heldAt, timeOf, transfersIn } from './transfers.ts';
import { refusalOf } from './trial.ts';

const NODE_MS_MAX = 5_000;

/** Facilitators and a node of the chain. All may be hostile, and may be different services. */
export function openX402(
  { x402: rail }: Pick<Config, 'x402'>,
  egress: Egress,
  { store, profiles = openProfiles() }: { store: Store; profiles?: Profiles },
): X402Gateway {
  if (!rail)
    throw new Error('a payment was recorded, and X402_FACILITATOR_URL is not set any more');
  const node = openChecked(rail.rpcUrl, chainIdOf(rail), {
    answerMsMax: NODE_MS_MAX,
    profile: profiles.of(rail.rpcUrl),
  });
  return {
    refusalOf: (payment) => refusalOf(node, rail, payment),
    ...openFacilitators(rail, { egress, store }),
    find: (payment) => findOnChain(node, rail, payment),
    timeOf: (block) => timeOf(node, block),
    finalBlock: () => finalBlockBy(node),
    transfersIn(from, to) {
      // As many as it tells in one answer, so that one that is lost loses no more than that.
      const last = Math.min(to, from + node.profile.logBlocks.value - 1);
      return transfersIn(node, rail, { from, to: last });
    },
    heldAt: (block) => heldAt(node, rail, block),
  };
}

/** The id in the name of the network: eip155:<id>. */
const chainIdOf = ({ network }: X402Rail): number => Number(network.split(':')[1]);
