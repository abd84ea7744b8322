import type { Config } from '../../../composition/config.ts';
import { column, jsonOf, nullable, oneOf, rows } from '../../../platform/rows.ts';
import type { Database, Row } from '../../../platform/rows.ts';
import { networkOn, type IssuingRail } from '../token.ts';
import type { TokenKind } from '../token_gateway.ts';

/** Maximum tokens of one round, besides NFTs. */
const TOKENS_MAX = 16;
/** Maximum transactions of a group are 16, of which one pays what the contract has to keep. */
const GROUP_MAX = 15;
interface Transaction {
  readonly tx_id: string;
  readonly bytes: string;
  readonly last_valid: number;
}

const OPEN_TOKEN = {
  id: column.id,
  kind: oneOf<TokenKind>(),
  root_id: nullable(column.id),
  /** The key of the call, or a contract's own. */
  key: column.text,
  name: nullable(column.text),
  unit_name: nullable(column.text),
  total_supply: nullable(column.text),
  decimals: nullable(column.int),
  address: nullable(column.text),
  uri: nullable(column.text),
  /** The contract of an NFT: once set, the same in every attempt. Of a claim its asset. */
  contract_id: nullable(column.id),
  number: nullable(column.int),
  /** Id on Algorand of the asset of a claim, and its supply. */
  claimed: nullable(column.int),
  claimed_supply: nullable(column.text),
  /** All its transactions, oldest first. */
  transactions: jsonOf<readonly Transaction[]>(),
};
/** A token that is not confirmed yet, with all its transactions. */
export type OpenToken = Row<typeof OPEN_TOKEN>;

const CONTRACT = { id: column.id, app_id: column.int, wallet: column.text };
/** The application that holds the NFTs minted by one wallet. */
export type Contract = Row<typeof CONTRACT>;

/** The work of a round. */
export interface Round {
  readonly open: readonly OpenToken[];
  readonly contracts: readonly Contract[];
}

export async function findRound(
  db: Database,
  { tokens }: Config,
  rail: IssuingRail,
): Promise<Round> {
  if (!tokens[rail]) return { open: [], contracts: [] };
  const network = networkOn(tokens, rail);
  const open = await rows(db, OPEN_TOKEN, SELECT_OPEN, [network, TOKENS_MAX, rail, GROUP_MAX]);
  if (rail !== 'algorand') return { open, contracts: [] };
  const contracts = await rows(db, CONTRACT, SELECT_CONTRACTS, [network]);
  return { open, contracts };
}

/**
 * SQL: submitted tokens first, and then the first of each tree, the second of each, and so on. Of
 * NFTs those that were submitted, as a group, or the next ones: the numbers of a group must be
 * confirmed before the next are given.
 */
const SELECT_OPEN = `
  with open as (
    select id, kind, status,
           row_number() over (partition by kind = 'nft', status, root_id order by id) as turn,
           bool_or(kind = 'nft' and status = 'submitted') over () as is_minting
      from token
     where closed_at is null and network = $1 and (kind = 'collection') = ($3 = 'solana')),
  due as (
    select id, kind, row_number() over (
             partition by kind = 'nft' order by status = 'submitted' desc, turn, id) as place
      from open where not (is_minting and kind = 'nft' and status = 'pending'))
  select t.id, t.kind, t.root_id, coalesce(t.call_id::text, 'contract ' || t.id) as key, t.name,
         t.unit_name, t.total_supply::text as total_supply, t.decimals, t.address, t.uri,
         t.contract_id, t.number, asset.algo_id as claimed,
         asset.total_supply::text as claimed_supply, coalesce(s.transactions, '[]') as transactions
    from due join token t on t.id = due.id
    left join token asset on t.kind = 'claim' and asset.id = t.contract_id
   cross join lateral (
     select jsonb_agg(jsonb_build_object('tx_id', tx_id, 'bytes', bytes, 'last_valid', last_valid)
              order by attempt) as transactions
       from token_transaction where token_id = t.id) s
   where due.place <= case when due.kind = 'nft' then $4::int else $2::int end
   order by t.status = 'submitted' desc, t.id`;

const SELECT_CONTRACTS = `
  select t.id, t.algo_id as app_id, w.address as wallet
    from token t join token_wallet w on w.id = t.wallet_id
   where t.kind = 'contract' and t.status = 'deployed' and t.network = $1`;
