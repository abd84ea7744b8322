import { operation } from '../../../kernel/operation.ts';
import { Amount, Input, Nullable, Output, Text, Type } from '../../../kernel/schema.ts';
import { CHAINS } from '../chain/networks.ts';
import { keepOwnAddress, ownAddress } from '../wallets/own_address.ts';
import { TRON_CHAIN_ID } from './network.ts';
import type { TronNetwork } from './settings.ts';

const FAMILY = 'tron';

const TronDeposit = Output('TronDeposit', {
  network: Type.Literal('tron', { description: 'The network.' }),
  chain_id: Type.Integer({ description: 'Chain id.' }),
  wallet_ready: Type.Boolean({ description: 'Deposits are accepted.' }),
  sandbox: Type.Boolean({ description: 'Network with test money.' }),
  address: Nullable(Text(34, 34, 'Address to pay to.')),
  own: Type.Boolean({
    description: 'The address is yours alone; any wallet may pay.',
  }),
  assets: Type.Array(
    Output({
      asset: Text(1, 20, 'Symbol of the asset.'),
      contract: Nullable(Text(34, 34, 'Contract of the token; null: deposits are off.')),
      decimals: Type.Integer({ description: 'Decimals of its base unit.' }),
    }),
    { description: 'Accepted assets; any other is lost, TRX too.' },
  ),
});

export const tronInfo = operation({
  name: 'tron_info',
  title: 'Show how to pay on Tron',
  summary:
    'Shows where to pay USDT (TRC-20) on Tron. You are credited for payments to your own address ' +
    'or from a wallet that you have linked. Free.',
  phrasings: `
    how to pay with USDT on Tron; deposit tether, TRC20 address; where do I send USDT; TRON
    address for tether; USDT TRC-20 deposit instructions; fund by Tron; which USDT network do
    you accept; Tron deposit address; pay by tether; TRC20 payment details; USDT on Tron, where;
    send TRX network payment; minimum for tether; can I use USDT here; where can I send tether;
    I hold USDT on Tron; is Tron supported`,
  access: 'read',
  mode: 'job',
  queue: 'network',
  rest: 'GET /api/v1/tron/info',
  effects: { idempotent: true },
  input: Input({}),
  output: Output('TronInfo', {
    networks: Type.Array(TronDeposit, { description: 'Tron alone.' }),
    min_amount: Amount('Minimum value that is credited.'),
  }),

  ...ownAddress(FAMILY),

  async handle(tx, _input, own) {
    const { chains, chainMin } = tx.config.deposits;
    if (own) await keepOwnAddress(tx.db, { family: FAMILY, address: own }, tx.caller);
    return { networks: [viewOf(chains.tron, own)], min_amount: chainMin };
  },
});

const viewOf = (network: TronNetwork | undefined, own: string | undefined) => ({
  network: 'tron' as const,
  chain_id: TRON_CHAIN_ID,
  wallet_ready: network !== undefined,
  sandbox: network?.isSandbox ?? false,
  address: (network && (own ?? network.address)) ?? null,
  own: network !== undefined && own !== undefined,
  assets: CHAINS.tron.assets.map(({ sign, decimals }) => ({
    asset: sign,
    contract: network?.usdt ?? null,
    decimals,
  })),
});
