import { timer } from '../../jobs/timers/timer.ts';
import { deployment } from './deployment.ts';

const NAME = 'deploy_tokens';

export const deployTokens = timer({
  ...deployment(NAME, 'algorand'),
  name: NAME,
  title: 'Deploy tokens',
  summary: 'Internal: issues tokens on Algorand, and checks their transactions.',
});
