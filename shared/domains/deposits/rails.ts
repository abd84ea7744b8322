import type { Config } from '../../composition/config.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Nullable, OneOf, Output, Text, Type, type Static } from '../../kernel/schema.ts';
import { RAILS, type Rail } from '../ledger/ledger.ts';
import type { Database } from '../../platform/rows.ts';
import { chainMethods } from './chain/methods.ts';
import type { CardSettings } from './settings.ts';

/** A way to pay in. */
export const DepositMethod = Output('DepositMethod', {
  rail: OneOf(RAILS, 'Payment method.'),
  enabled: Type.Boolean({ description: 'Available here.' }),
  reason: Type.Optional(Text(1, 200, 'Reason it is not enabled.')),
  network: Nullable(Text(1, 40, 'Network; sandbox: test money; null: not enabled.')),
  address: Type.Optional(Text(1, 200, 'Address to pay to, on a chain.')),
  reference: Type.Optional(Text(1, 200, 'Your reference in the payment.')),
});
type DepositMethod = Static<typeof DepositMethod>;

/** Names of the settings that a rail needs. */
export const settingsOf = (rail: Rail): readonly string[] => SETTINGS[rail];
const SETTINGS: { readonly [rail in Rail]: readonly string[] } = {
  card: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'],
  algorand: ['ALGO_INDEXER_URLS', 'ALGO_DEPOSIT_ADDRESS'],
  solana: ['SOLANA_RPC_URLS', 'SOLANA_DEPOSIT_ADDRESS'],
  base: ['BASE_RPC_URLS', 'EVM_DEPOSIT_ADDRESS'],
  arbitrum: ['ARBITRUM_RPC_URLS', 'EVM_DEPOSIT_ADDRESS'],
  ethereum: ['ETHEREUM_RPC_URLS', 'EVM_DEPOSIT_ADDRESS'],
  tron: ['TRON_RPC_URLS', 'TRON_DEPOSIT_ADDRESS'],
  x402: ['X402_FACILITATOR_URL', 'X402_RPC_URL', 'X402_PAY_TO'],
};

/** All rails as get_wallet shows them to this agent. */
export async function depositMethods(
  db: Database,
  config: Config,
  agentId: number,
): Promise<DepositMethod[]> {
  const chains = await chainMethods(db, config, agentId);
  const { deposits, x402 } = config;
  return RAILS.map((rail) => {
    const network = rail === 'card' ? deposits.card?.network : undefined;
    if (network !== undefined) return { rail, enabled: true, network };
    if (rail === 'x402' && x402) {
      const paidOn = x402.isSandbox ? 'sandbox' : x402.networkV1;
      return { rail, enabled: true, network: paidOn, address: x402.payTo };
    }
    const method = chains.get(rail);
    if (method) return { rail, enabled: true, ...method };
    return { rail, enabled: false, reason: 'Not offered by this platform.', network: null };
  });
}

/** The settings of cards, or a refusal that names the missing settings. */
export function cardSettings({ deposits }: Config): CardSettings {
  if (!deposits.card) throw railUnavailable('card');
  return deposits.card;
}

/** Refusal of a call that needs a rail which is off. */
export const railUnavailable = (rail: Rail): Refusal =>
  new Refusal(
    'rail_unavailable',
    `This platform does not accept payments by ${rail}. get_wallet lists the methods it accepts.`,
    { rail, settings: SETTINGS[rail] },
  );
