import type { Config } from '../../shared/composition/config.ts';
import { openEgress, type Egress } from '../../shared/platform/egress/egress.ts';
import type { Gateways } from '../../shared/composition/gateways.ts';
import type { Store } from '../../shared/platform/redis.ts';
import type { ClockAndLog } from '../../shared/composition/open_context.ts';
import { openTokens } from './algorand/tokens.ts';
import { openAudit } from './audit/audit.ts';
import { openAddresses } from './addresses.ts';
import { openChains } from './chains.ts';
import { openDatasets } from './datasets/datasets.ts';
import { openDocuments } from './documents/documents.ts';
import { openPayouts } from './evm/payouts.ts';
import { openMail } from './mail/mail.ts';
import { openMailer } from './mailer/mailer.ts';
import { openChainlink } from './prices/chainlink.ts';
import { openPrices } from './prices/prices.ts';
import { openProfiles, providersOf, type Profiles } from './rpc/profiles.ts';
import { openProxies } from './proxies/proxies.ts';
import { openCollections } from './solana/collections.ts';
import { openStripe } from './stripe/stripe.ts';
import { openVerification } from './verification/verification.ts';
import { openWallets } from './wallets/wallets.ts';
import { openWebhooks } from './webhooks/webhooks.ts';
import { openX402 } from './x402/x402.ts';

/**
 * Our side of every outside system, each opened at its first use: a worker for some queues opens
 * only what their operations use. Only workers have gateways. State that all workers share about an
 * outside system is in the store.
 */
export const openGateways = (config: Config) => (store: Store, own: ClockAndLog) => {
  const egress = openEgress(config);
  const { proxies, egressAllow } = config;
  const profiles = openProfiles(providersOf(config), store);
  return openLazily<Gateways>({
    addresses: () => openAddresses(config.deposits),
    audit: () => openAudit(config, own.log),
    card: () => openStripe(config.deposits.card),
    chains: () => openChains(config, profiles),
    collections: () => openCollections(config.tokens, profiles),
    datasets: () => openDatasets(egress),
    documents: () => openDocuments(egress),
    mail: () => openMail(config, egress, { store, ...own }),
    mailer: () => openMailer(config.mail),
    payouts: () => openPayouts(config.withdrawals, profiles),
    prices: () => openPricesOf(config, egress, profiles),
    providers: () => profiles,
    proxies: () => openProxies({ ...proxies, egressAllow }, egress),
    tokens: () => openTokens(config.tokens, profiles),
    verification: () => openVerification(),
    wallets: () => openWallets(config.deposits, profiles),
    webhooks: () => openWebhooks(egress),
    x402: () => openX402(config, egress, { store, profiles }),
  });
};

function openPricesOf({ deposits: { prices } }: Config, egress: Egress, profiles: Profiles) {
  const { chainlink } = prices;
  return openPrices(prices, egress, chainlink ? [openChainlink(chainlink, profiles)] : []);
}

/** An object whose fields are made once, at their first use. */
function openLazily<T extends object>(open: { readonly [K in keyof T]: () => T[K] }): T {
  const opened = {} as T;
  for (const name of Object.keys(open) as (keyof T)[]) {
    const common = { configurable: true, enumerable: true };
    Object.defineProperty(opened, name, {
      ...common,
      get() {
        const value = open[name]();
        Object.defineProperty(opened, name, { ...common, value, writable: true });
        return value;
      },
    });
  }
  return opened;
}
