import { timer } from '../../jobs/timers/timer.ts';
import { deployment } from './deployment.ts';

const NAME = 'deploy_collections';

/** Separate from Algorand, so that a network that does not answer does not delay the other. */
export const deployCollections = timer({
  ...deployment(NAME, 'solana'),
  name: NAME,
  title: 'Deploy collections',
  summary: 'Internal: makes collections on Solana, and checks their transactions.',
});
