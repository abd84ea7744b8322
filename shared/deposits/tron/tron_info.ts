import { operation } from '../../kernel/operation.ts';
import { Amount, Input, Nullable, Output, Text, Type } from '../../kernel/schema.ts';
import { CHAINS } from '../chain/networks.ts';
import { keepOwnAddress, ownAddress } from '../wallets/own_address.ts';
import { TRON_CHAIN_ID } from './network.ts';
import type { TronNetwork } from './settings.ts';

const FAMILY = 'tron';

const TronDeposit = Output('TronDeposit', {
  network: Type.Literal('tron', { description: 'The network.' }),
  chain_id: Type.Integer({ description: 'Its number.' }),
  wallet_ready: Type.Boolean({ description: 'Deposits are taken there.' }),
  sandbox: Type.Boolean({ description: 'It is without value.' }),
  address: Nullable(Text(34, 34, 'Where to pay.')),
  own: Type.Boolean({
    description: 'The address is yours alone, for payments from any wallet.',
  }),
  assets: Type.Array(
    Output({
      asset: Text(1, 20, 'Its sign.'),
      contract: Nullable(Text(34, 34, 'Of the token; null: deposits are not taken.')),
      decimals: Type.Integer({ description: 'Of its base unit.' }),
    }),
    { description: 'What is taken; all else is lost, TRX too.' },
  ),
});

export const tronInfo = operation({
  name: 'tron_info',
  title: 'See how to pay in on Tron',
  summary:
    'Says where to pay in USDT (TRC-20) on Tron. What is paid to an address of your own, or from a ' +
    'wallet that you have linked, is yours. Free.',
  access: 'read',
  mode: 'job',
  domain: 'deposits',
  queue: 'network',
  rest: 'GET /api/v1/tron/info',
  idempotent: true,
  input: Input({}),
  output: Output('TronInfo', {
    networks: Type.Array(TronDeposit, { description: 'One.' }),
    min_amount: Amount('The least that is credited.'),
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
