import type { SettingReader } from '../platform/config/environment.ts';
import { whole } from '../platform/config/setting_values.ts';

/** What operators may give away, in whole dollars. 0: nothing. */
export function walletSettings({ read }: SettingReader) {
  return Object.freeze({
    goodwill: Object.freeze({
      /** In one credit. */
      perCredit: read('GOODWILL_PER_CREDIT', '50', whole(0, 1e6)),
      /** By all operators, on one day (UTC). */
      perDay: read('GOODWILL_PER_DAY', '500', whole(0, 1e6)),
    }),
  });
}

export type WalletSettings = ReturnType<typeof walletSettings>;
