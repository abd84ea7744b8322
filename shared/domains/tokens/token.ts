import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Amount, Id, Nullable, OneOf, Output, Text, Time, Type } from '../../kernel/schema.ts';
import { toUsd } from '../../kernel/money.ts';
import { column, finder, nullable, oneOf, type Row } from '../../platform/rows.ts';
import { KEPT, keptForNft } from './locked.ts';
import type { TokenSettings } from './settings.ts';
import type { TokenKind } from './token_gateway.ts';

export const STATUSES = ['pending', 'submitted', 'deployed', 'failed'] as const;
const NETWORKS = ['mainnet', 'mainnet-beta', 'sandbox'] as const;
type Network = (typeof NETWORKS)[number];

/** Product type of tokens in policies. */
export const PRODUCT_TYPE = 'token';

/** Maximum integer that JSON numbers hold exactly. */
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

/** Common fields of all tokens. */
export const STATE = {
  deploy_status: OneOf(
    STATUSES,
    'pending: nothing sent yet. submitted: sent, not confirmed. deployed: confirmed. failed: ' +
      'never issued, and the fee is back in the wallet.',
  ),
  fee: Amount('Fee paid.'),
  failure: Nullable(Type.String({ description: 'Reason of a failure.' })),
  created_at: Time('Time of the call.'),
  closed_at: Nullable(Time('Time of deployment or failure.')),
};

const ON_ALGORAND = {
  ...STATE,
  network: OneOf(['mainnet', 'sandbox'], 'Network of Algorand. sandbox: without value.'),
  tx_id: Nullable(Text(52, 52, 'Transaction that issued it; null: none yet.')),
  locked_algo: Type.Number({
    description: 'ALGO that stay locked for it, paid by the fee.',
  }),
  locked_usd: Nullable(Amount('The same in USD, if a price is known.')),
};

export const AsaView = Output('Asa', {
  asset_id: Id('The asset.'),
  algo_asset_id: Nullable(Type.Integer({ description: 'Id on Algorand; null until deployed.' })),
  name: Text(1, 32, 'Full name.'),
  unit_name: Text(1, 8, 'Short name.'),
  total_supply: Supply('Number of smallest units; text above 2^53 - 1.'),
  decimals: Type.Integer({ description: 'Decimals of a whole unit.' }),
  claim: Nullable(
    Output({
      address: Text(58, 58, 'Its new holder.'),
      status: OneOf(['pending', 'submitted', 'deployed'], 'State.'),
      tx_id: Nullable(Text(52, 52, 'Transaction.')),
    }),
  ),
  ...ON_ALGORAND,
});

export const NftView = Output('Nft', {
  nft_id: Id('The NFT.'),
  app_id: Nullable(Type.Integer({ description: 'Its ARC-72 contract; null: none yet.' })),
  token_id: Nullable(
    Type.Integer({ description: 'Its number in the contract; null until submitted.' }),
  ),
  address: Text(58, 58, 'Its first owner.'),
  uri: Text(1, 256, 'Its metadata.'),
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
  claim_address: nullable(column.text),
  claim_status: nullable(oneOf<'pending' | 'submitted' | 'deployed'>()),
  claim_tx_id: nullable(column.text),
  algo_usd: nullable(column.float),
  created_at: column.time,
  closed_at: nullable(column.time),
};
export type Token = Row<typeof TOKEN>;

/** Finds tokens of agents by a condition and the clauses after it. */
export const findTokens = finder(
  TOKEN,
  `select t.id, t.kind, t.network, t.name, t.unit_name, t.total_supply::text as total_supply,
          t.decimals, t.address, t.uri, t.number, t.status, t.algo_id,
          contract.algo_id as app_id, t.mint, t.tx_id, t.failure, c.credit + c.cash as fee,
          t.created_at, t.closed_at, claim.address as claim_address,
          claim.status as claim_status, claim.tx_id as claim_tx_id,
          (select price::float8 from asset_price where asset = 'ALGO'
            order by at desc limit 1) as algo_usd
     from token t join charge c on c.id = t.charge_id
     left join token contract on contract.id = t.contract_id
     left join token claim
       on claim.contract_id = t.id and claim.kind = 'claim' and claim.status <> 'failed'
    where`,
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
  ...lockedOf(token),
});

function lockedOf({ kind, uri, algo_usd: price }: Token) {
  const algos = Number(kind === 'nft' ? keptForNft(uri!) : KEPT.asset) / 1e6;
  const usd = price === null ? null : Math.round(algos * price * 1e6) / 1e6;
  return { locked_algo: algos, locked_usd: usd };
}

export const asaViewOf = (token: Token) => ({
  asset_id: token.id,
  algo_asset_id: token.algo_id,
  name: token.name!,
  unit_name: token.unit_name!,
  total_supply: supplyOf(token.total_supply!),
  decimals: token.decimals!,
  claim:
    token.claim_address === null
      ? null
      : {
          address: token.claim_address,
          status: token.claim_status!,
          tx_id: token.claim_tx_id,
        },
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

/** Finds a token of the caller's. */
export async function ownToken(
  { db, caller }: Tx,
  { id, kind }: { id: number; kind: Token['kind'] },
): Promise<Token> {
  const [token] = await findTokens(db, 't.id = $1 and t.kind = $2 and t.agent_id = $3', [
    id,
    kind,
    caller.agentId,
  ]);
  if (!token) throw new Refusal('not_found', `You have no ${kind} ${id}.`);
  return token;
}

/** A network that tokens are issued on. */
export type IssuingRail = 'algorand' | 'solana';

export const railOfKind = (kind: TokenKind): IssuingRail =>
  kind === 'collection' ? 'solana' : 'algorand';

const RAILS = {
  algorand: {
    name: 'Algorand',
    real: 'mainnet',
    settings: ['ALGO_NODE_URL', 'ALGO_INDEXER_URLS', 'ALGO_KEY_FILE'],
  },
  solana: {
    name: 'Solana',
    real: 'mainnet-beta',
    settings: ['SOLANA_RPC_URLS', 'SOLANA_KEY_FILE'],
  },
} as const;

/** Returns the network of a rail. Refuses, with the missing settings, if it is off. */
export function networkOn(tokens: TokenSettings, rail: IssuingRail): Network {
  const issuer = tokens[rail];
  if (!issuer) throw nothingOn(rail);
  return issuer.isSandbox ? 'sandbox' : RAILS[rail].real;
}

export function nothingOn(rail: IssuingRail): Refusal {
  const { name, settings } = RAILS[rail];
  return new Refusal(
    'rail_unavailable',
    `This marketplace issues nothing on ${name}: it has no node or no wallet for it. ` +
      `Its operators have to set ${settings.join(', ')}.`,
    { rail, settings },
  );
}
