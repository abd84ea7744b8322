import { operation } from '../kernel/operation.ts';
import { deployment } from './deployment.ts';

const NAME = 'deploy_tokens';

export const deployTokens = operation({
  ...deployment(NAME, 'algorand'),
  name: NAME,
  title: 'Deploy tokens',
  summary: 'Internal: issues tokens on Algorand, and finds out what became of them.',
});
