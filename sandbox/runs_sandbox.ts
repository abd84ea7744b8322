import type { PaidRail } from '../shared/domains/deposits/chain/networks.ts';
import type { Environment } from '../shared/platform/config/environment.ts';
import { list } from '../shared/platform/config/setting_values.ts';

/** Whether `npm start` runs a network of its own for a rail, where no other is set. */
export function runsSandbox({ SANDBOX = '', ...env }: Environment, rail: PaidRail): boolean {
  const isList = !['', 'true', 'false'].includes(SANDBOX);
  return isList ? list(SANDBOX).includes(rail) : env[switchOf(rail)] !== 'false';
}

/** The switch of one network, read for one release more. */
const switchOf = (rail: PaidRail) => `${rail === 'algorand' ? 'ALGO' : rail.toUpperCase()}_SANDBOX`;
