import type { SettingReader } from '../../platform/config/environment.ts';
import { whole } from '../../platform/config/setting_values.ts';

/** Limits of the credit that operators may give, in whole dollars. 0: none. */
export function walletSettings({ read }: SettingReader) {
  return Object.freeze({
    goodwill: Object.freeze({
      /** Maximum of one credit. */
      perCredit: read('GOODWILL_PER_CREDIT', '50', whole(0, 1e6)),
      /** Maximum of all operators together, on one day (UTC). */
      perDay: read('GOODWILL_PER_DAY', '500', whole(0, 1e6)),
    }),
  });
}

export type WalletSettings = ReturnType<typeof walletSettings>;
