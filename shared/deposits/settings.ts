import type { SettingReader } from '../platform/config/environment.ts';
import { list, url } from '../platform/config/setting_values.ts';

/** The rails by which money comes in. Absent: that one is not offered. */
export function depositSettings({ optional }: SettingReader) {
  const secretKey = optional('STRIPE_SECRET_KEY', String);
  const webhookSecrets = optional('STRIPE_WEBHOOK_SECRETS', list);
  const apiBase = optional('STRIPE_API_BASE', url('http', 'https'));
  const card =
    secretKey !== undefined && webhookSecrets !== undefined && webhookSecrets.length > 0
      ? Object.freeze({
          secretKey,
          /** What Stripe signs its events with; two while one is replaced by the other. */
          webhookSecrets,
          /** Of a double that stands in for Stripe. Absent: Stripe itself. */
          apiBase,
          network: networkOf(secretKey, apiBase),
        })
      : undefined;
  return Object.freeze({ card });
}

const networkOf = (secretKey: string, apiBase: string | undefined) =>
  apiBase ? 'sandbox' : /^[sr]k_test_/.test(secretKey) ? 'stripe_test' : 'stripe';

export type DepositSettings = ReturnType<typeof depositSettings>;
export type CardSettings = NonNullable<DepositSettings['card']>;
