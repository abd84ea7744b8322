import type { LaunchEntry } from '../local/launcher/launch_entry.ts';
import { readConfig } from '../shared/composition/config.ts';
import { realMoney } from '../shared/composition/mixed_money.ts';

/** Makes the marketplace a sandbox if all its money is play money, unless SANDBOX says. */
export const playMoney: LaunchEntry = {
  name: 'Play money',
  when: ({ production }) => !production,
  async env({ env }) {
    if (env.SANDBOX) return {}; // The networks that run here are named.
    return { SANDBOX: String(realMoney(readConfig(env)).length === 0) };
  },
  start: () => Promise.resolve([]),
};
