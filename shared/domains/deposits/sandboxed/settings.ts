import type { SettingReader } from '../../../platform/config/environment.ts';
import { list } from '../../../platform/config/setting_values.ts';
import { PAID_RAILS, type PaidRail } from '../chain/networks.ts';

/** Values of SANDBOX that are no list of networks. */
const WHOLE = ['', 'true', 'false', 'none'];

/** The networks that SANDBOX names: their money is play money. */
export function sandboxedNetworks(text: string): readonly PaidRail[] {
  if (WHOLE.includes(text)) return [];
  const names = list(text) as PaidRail[];
  const odd = names.length === 0 ? text : names.find((name) => !PAID_RAILS.includes(name));
  if (odd === undefined) return names;
  const some = `some of ${PAID_RAILS.join(', ')}, in small letters`;
  throw new Error(`names ${odd}: give true, false, none, or ${some}`);
}

/** Whether a network is one of play money: SANDBOX names it. */
export const isSandboxed = ({ read }: Pick<SettingReader, 'read'>, rail: PaidRail): boolean =>
  read('SANDBOX', 'false', sandboxedNetworks).includes(rail);
