import { CHAIN_RAILS, type ChainRail } from '../domains/deposits/chain/networks.ts';
import type { DepositSettings } from '../domains/deposits/settings.ts';
import type { WithdrawalSettings } from '../domains/withdrawals/settings.ts';
import type { X402Settings } from '../domains/x402/settings.ts';

interface MoneySettings {
  readonly deposits: DepositSettings;
  readonly withdrawals: WithdrawalSettings;
  readonly x402: X402Settings;
}

/** A way for money to come in or go out, with the setting that selects its network. */
interface MoneySource {
  readonly setting: string;
  readonly isReal: boolean;
}

/** The chain id of Base mainnet; USDC on any other configured chain is test money. */
const BASE_CHAIN_ID = 8453;

/**
 * Faults of settings that mix real and test money. A balance does not show which was paid in, so an
 * agent that pays in test money could withdraw or spend real money.
 */
export function mixedMoney(settings: MoneySettings): string[] {
  const real = realMoney(settings);
  const play = sourcesOf(settings).flatMap(({ setting, isReal }) => (isReal ? [] : [setting]));
  if (real.length === 0 || play.length === 0) return [];
  return [
    `${play.join(', ')}: play money, beside real money by ${real.join(', ')}. Balances do not tell ` +
      'one from the other, so play money would buy and be withdrawn as real: leave out one sort',
  ];
}

/** The settings that select networks of real money. */
export const realMoney = (settings: MoneySettings): string[] =>
  sourcesOf(settings).flatMap(({ setting, isReal }) => (isReal ? [setting] : []));

function sourcesOf({ deposits, withdrawals, x402 }: MoneySettings): MoneySource[] {
  const base = withdrawals.base;
  const isBase = base.chainId === BASE_CHAIN_ID;
  const sources: MoneySource[] = [];
  if (deposits.card) sources.push(CARDS[deposits.card.network]);
  if (base.rpcUrls.length > 0) {
    const chain = isBase ? '' : ` (BASE_CHAIN_ID=${base.chainId})`;
    const setting = base.sandbox ? 'SANDBOX (base)' : `BASE_RPC_URLS${chain}`;
    sources.push({ setting, isReal: !base.sandbox && isBase });
  }
  for (const rail of CHAIN_RAILS) {
    const chain = deposits.chains[rail];
    if (!chain || rail === 'base') continue;
    const setting = chain.isSandbox ? `SANDBOX (${rail})` : URLS[rail];
    sources.push({ setting, isReal: !chain.isSandbox });
  }
  if (x402) {
    const setting = x402.isSandbox ? 'SANDBOX (x402)' : 'X402_RPC_URL';
    sources.push({ setting, isReal: !x402.isSandbox });
  }
  return sources;
}

const CARDS = {
  stripe: { setting: 'STRIPE_SECRET_KEY (a live key)', isReal: true },
  stripe_test: { setting: 'STRIPE_SECRET_KEY (a test key)', isReal: false },
  sandbox: { setting: 'STRIPE_API_BASE', isReal: false },
} as const;

const URLS: { readonly [rail in ChainRail]: string } = {
  algorand: 'ALGO_INDEXER_URLS',
  solana: 'SOLANA_RPC_URLS',
  base: 'BASE_RPC_URLS',
  arbitrum: 'ARBITRUM_RPC_URLS',
  ethereum: 'ETHEREUM_RPC_URLS',
  tron: 'TRON_RPC_URLS',
};
