import type { PaidRail } from '../shared/domains/deposits/chain/networks.ts';
import { sandboxedNetworks } from '../shared/domains/deposits/sandboxed/settings.ts';
import type { Environment } from '../shared/platform/config/environment.ts';

/** Whether `npm start` runs a network of its own for a rail, where no other is set. */
export const runsSandbox = ({ SANDBOX = '' }: Environment, rail: PaidRail): boolean =>
  ['', 'true'].includes(SANDBOX) || sandboxedNetworks(SANDBOX).includes(rail);

/** SANDBOX of the processes, which names these networks beside those of before. */
export const withPlayMoney = ({ SANDBOX = '' }: Environment, ...rails: PaidRail[]) => ({
  SANDBOX: [...new Set([...sandboxedNetworks(SANDBOX), ...rails])].join(),
});
