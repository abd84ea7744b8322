import { operation } from '../kernel/operation.ts';
import { deployment } from './deployment.ts';

const NAME = 'deploy_collections';

/** Apart from those of Algorand, so that a network that does not answer holds up no other. */
export const deployCollections = operation({
  ...deployment(NAME, 'solana'),
  name: NAME,
  title: 'Deploy collections',
  summary: 'Internal: makes collections on Solana, and finds out what became of them.',
});
