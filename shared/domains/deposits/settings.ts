import type { SettingReader } from '../../platform/config/environment.ts';
import { decimal, list, url } from '../../platform/config/setting_values.ts';
import { weakSecret } from '../../platform/self_checks/unsafe_secrets.ts';
import { algorandSettings } from './algorand/settings.ts';
import type { ChainSettings } from './chain/networks.ts';
import { evmSettings } from './evm/settings.ts';
import { priceSettings } from './prices/settings.ts';
import { solanaSettings } from './solana/settings.ts';
import { tronSettings } from './tron/settings.ts';

/** Settings of the deposit rails. Absent: the rail is off. */
export function depositSettings(reader: SettingReader) {
  const { production, read, optional, check } = reader;
  const secretKey = optional('STRIPE_SECRET_KEY', String);
  const webhookSecrets = optional('STRIPE_WEBHOOK_SECRETS', list);
  const apiBase = optional('STRIPE_API_BASE', url('http', 'https'));
  const ofStripe = (name: string, secret: string) =>
    weakSecret(name, secret.replace(PREFIX, ''), "copy it from Stripe's dashboard");
  check('secrets', [
    ...(secretKey === undefined ? [] : ofStripe('STRIPE_SECRET_KEY', secretKey)),
    ...(webhookSecrets ?? []).flatMap((one) => ofStripe('STRIPE_WEBHOOK_SECRETS', one)),
  ]);
  check('money', production ? faultsOfStripe(secretKey, apiBase) : []);
  const card =
    secretKey !== undefined && webhookSecrets !== undefined && webhookSecrets.length > 0
      ? Object.freeze({
          secretKey,
          /** Secrets with which Stripe signs its events; two during a rotation. */
          webhookSecrets,
          /** URL of a test double of Stripe. Absent: Stripe itself. */
          apiBase,
          network: networkOf(secretKey, apiBase),
        })
      : undefined;
  const algorand = algorandSettings(reader);
  const evm = evmSettings(reader);
  const solana = solanaSettings(reader);
  const tron = tronSettings(reader);
  return Object.freeze({
    card,
    /** Settings of the rails that are chains. */
    chains: Object.freeze({
      ...evm.networks,
      ...(algorand && { algorand }),
      ...(solana && { solana }),
      ...(tron && { tron }),
    }) satisfies ChainSettings,
    evm,
    /** Minimum value in dollars of a payment by chain to be credited. */
    chainMin: read('DEPOSIT_MIN', '0.1', decimal(0.000001, 1_000)),
    /** Value in dollars of a payment by chain above which operators decide. */
    reviewAbove: read('DEPOSIT_REVIEW_ABOVE', '1000000', decimal(1, 1_000_000_000)),
    prices: priceSettings(reader),
  });
}

/** Prefixes of keys and secrets of Stripe. */
const PREFIX = /^(?:[rs]k_(?:live|test)|whsec)_/;

const networkOf = (secretKey: string, apiBase: string | undefined) =>
  apiBase ? 'sandbox' : /^[sr]k_test_/.test(secretKey) ? 'stripe_test' : 'stripe';

/** Faults with which people would pay test money, or nothing, and believe that they paid. */
function faultsOfStripe(secretKey: string | undefined, apiBase: string | undefined): string[] {
  return [
    ...(apiBase === undefined
      ? []
      : ['STRIPE_API_BASE is for a double of Stripe, whose cards pay nothing: leave it out']),
    ...(secretKey === undefined || /^[sr]k_(live|test)_/.test(secretKey)
      ? []
      : ['STRIPE_SECRET_KEY is no secret key of Stripe: those begin with sk_live_ or rk_live_']),
  ];
}

export type DepositSettings = ReturnType<typeof depositSettings>;
export type CardSettings = NonNullable<DepositSettings['card']>;
