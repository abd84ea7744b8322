import type { Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Amount, Id, Nullable, OneOf, Output, Text, Time, Type } from '../kernel/schema.ts';
import { toUsd } from '../ledger/money.ts';
import { column, nullable, oneOf, rows, type Database, type Row } from '../platform/rows.ts';
import type { TokenSettings } from './settings.ts';
import type { TokenOrder } from './token_gateway.ts';

export const STATUSES = ['pending', 'submitted', 'deployed', 'failed'] as const;
const NETWORKS = ['mainnet', 'mainnet-beta', 'sandbox'] as const;
type Network = (typeof NETWORKS)[number];

/** What policies count it as. */
export const PRODUCT_TYPE = 'token';

/** What JSON has exactly as a number. */
const EXACT_MAX = Number.MAX_SAFE_INTEGER;
export const SUPPLY_MAX = 2n ** 64n - 1n;

export const Supply = (description: string) =>
  Type.Union(
    [
      Type.Integer({ minimum: 1, maximum: EXACT_MAX }),
      Type.String({ pattern: '^[1-9][0-9]{0,19}$', maxLength: 20 }),
    ],
    { description },
  );

/** Of all that is issued, wherever. */
export const STATE = {
  deploy_status: OneOf(
    STATUSES,
    'pending: nothing has been sent yet. submitted: it may be there at any moment. deployed: it ' +
      'is. failed: it never will be, and the fee is back in the wallet.',
  ),
  fee: Amount('What it cost.'),
  failure: Nullable(Type.String({ description: 'Why it failed.' })),
  created_at: Time('When it was asked for.'),
  closed_at: Nullable(Time('When it was deployed or failed.')),
};

const ON_ALGORAND = {
  ...STATE,
  network: OneOf(['mainnet', 'sandbox'], 'Of Algorand. sandbox: one that is worth nothing.'),
  tx_id: Nullable(Text(52, 52, 'The transaction that issued it; null: none has.')),
};

export const AsaView = Output('Asa', {
  asset_id: Id('It here.'),
  algo_asset_id: Nullable(Type.Integer({ description: 'It on Algorand; null until deployed.' })),
  name: Text(1, 32, 'Its name.'),
  unit_name: Text(1, 8, 'Its short name.'),
  total_supply: Supply('How many of its smallest units there are; text above 2^53 - 1.'),
  decimals: Type.Integer({ description: 'How many decimals a whole unit has.' }),
  ...ON_ALGORAND,
});

export const NftView = Output('Nft', {
  nft_id: Id('It here.'),
  app_id: Nullable(
    Type.Integer({ description: 'The ARC-72 contract that has it; null: none has yet.' }),
  ),
  token_id: Nullable(
    Type.Integer({ description: 'Its number in the contract; null until it is submitted.' }),
  ),
  address: Text(58, 58, 'Who got it.'),
  uri: Text(1, 256, 'What describes it.'),
  ...ON_ALGORAND,
});

const TOKEN = {
  id: column.id,
  kind: oneOf<'asa' | 'nft' | 'collection'>(),
  network: oneOf<Network>(),
  name: nullable(column.text),
  unit_name: nullable(column.text),
  total_supply: nullable(column.text),
  decimals: nullable(column.int),
  address: nullable(column.text),
  uri: nullable(column.text),
  number: nullable(column.int),
  status: oneOf<(typeof STATUSES)[number]>(),
  algo_id: nullable(column.int),
  app_id: nullable(column.int),
  mint: nullable(column.text),
  tx_id: nullable(column.text),
  failure: nullable(column.text),
  fee: column.micros,
  created_at: column.time,
  closed_at: nullable(column.time),
};
export type Token = Row<typeof TOKEN>;

/** Those of agents; `rest` is the condition, and what follows it. */
export const findTokens = (
  db: Database,
  rest: string,
  parameters: readonly unknown[],
): Promise<Token[]> =>
  rows(
    db,
    TOKEN,
    `select t.id, t.kind, t.network, t.name, t.unit_name, t.total_supply::text as total_supply,
            t.decimals, t.address, t.uri, t.number, t.status, t.algo_id,
            contract.algo_id as app_id, t.mint, t.tx_id, t.failure, c.credit + c.cash as fee,
            t.created_at, t.closed_at
       from token t join charge c on c.id = t.charge_id
       left join token contract on contract.id = t.contract_id
      where ${rest}`,
    parameters,
  );

export const stateOf = (token: Token) => ({
  deploy_status: token.status,
  fee: toUsd(token.fee),
  failure: token.failure,
  created_at: token.created_at.toISOString(),
  closed_at: token.closed_at?.toISOString() ?? null,
});

const onAlgorandOf = (token: Token) => ({
  ...stateOf(token),
  network: token.network as 'mainnet' | 'sandbox',
  tx_id: token.tx_id,
});

export const asaViewOf = (token: Token) => ({
  asset_id: token.id,
  algo_asset_id: token.algo_id,
  name: token.name!,
  unit_name: token.unit_name!,
  total_supply: supplyOf(token.total_supply!),
  decimals: token.decimals!,
  ...onAlgorandOf(token),
});

export const nftViewOf = (token: Token) => ({
  nft_id: token.id,
  app_id: token.app_id,
  token_id: token.number,
  address: token.address!,
  uri: token.uri!,
  ...onAlgorandOf(token),
});

const supplyOf = (text: string): number | string =>
  BigInt(text) <= BigInt(EXACT_MAX) ? Number(text) : text;

/** One of the caller's own. */
export async function ownToken(
  { db, caller }: Tx,
  { id, kind }: { id: number; kind: Token['kind'] },
): Promise<Token> {
  const [token] = await findTokens(db, 't.id = $1 and t.kind = $2 and t.agent_id = $3', [
    id,
    kind,
    caller.agentId,
  ]);
  if (!token) throw new Refusal('not_found', `There is no ${kind} ${id} of yours.`);
  return token;
}

/** Where something is issued. */
export type IssuingRail = 'algorand' | 'solana';

export const railOfKind = (kind: TokenOrder['kind']): IssuingRail =>
  kind === 'collection' ? 'solana' : 'algorand';

const RAILS = {
  algorand: {
    name: 'Algorand',
    real: 'mainnet',
    settings: ['ALGOD_URL', 'INDEXER_URL', 'ALGO_KEY_FILE'],
  },
  solana: {
    name: 'Solana',
    real: 'mainnet-beta',
    settings: ['SOLANA_RPC_URLS', 'SOLANA_KEY_FILE'],
  },
} as const;

/** The network that tokens are issued on, or the refusal that names what is not set. */
export function networkOn(tokens: TokenSettings, rail: IssuingRail): Network {
  const issuer = tokens[rail];
  if (!issuer) throw nothingOn(rail);
  return issuer.isSandbox ? 'sandbox' : RAILS[rail].real;
}

export function nothingOn(rail: IssuingRail): Refusal {
  const { name, settings } = RAILS[rail];
  return new Refusal(
    'rail_unavailable',
    `This marketplace issues nothing on ${name}: it has no node of it and no wallet that issues. ` +
      `Those who run it set ${settings.join(', ')}.`,
    { rail, settings },
  );
}
