import type { Config } from '../../composition/config.ts';
import { crashPoint } from '../../platform/crash_point.ts';
import { column, jsonOf, nullable, oneOf, rows } from '../../platform/rows.ts';
import type { Database, Row } from '../../platform/rows.ts';
import { networkOn, type IssuingRail } from './token.ts';
import { COSTS, type Issuer, type SignedToken } from './token_gateway.ts';
import type { TokenState, TokenGateway, TokenOrder } from './token_gateway.ts';

/** Maximum tokens of one round. */
const TOKENS_MAX = 16;
/** Maximum attempts; then the token has failed. */
const ATTEMPTS_MAX = 5;

interface Transaction {
  readonly tx_id: string;
  readonly bytes: string;
  readonly last_valid: number;
}

const OPEN_TOKEN = {
  id: column.id,
  kind: oneOf<TokenOrder['kind']>(),
  root_id: nullable(column.id),
  /** The key of the call, or a contract's own. */
  key: column.text,
  name: nullable(column.text),
  unit_name: nullable(column.text),
  total_supply: nullable(column.text),
  decimals: nullable(column.int),
  address: nullable(column.text),
  uri: nullable(column.text),
  /** The contract of an NFT: once set, the same in every attempt. */
  contract_id: nullable(column.id),
  number: nullable(column.int),
  /** All its transactions, oldest first. */
  transactions: jsonOf<readonly Transaction[]>(),
};
/** A token that is not confirmed yet, with all its transactions. */
type OpenToken = Row<typeof OPEN_TOKEN>;

const CONTRACT = { id: column.id, app_id: column.int, wallet: column.text };
/** The application that holds the NFTs minted by one wallet. */
type Contract = Row<typeof CONTRACT>;

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
  const open = await rows(db, OPEN_TOKEN, SELECT_OPEN, [network, TOKENS_MAX, rail]);
  if (rail !== 'algorand') return { open, contracts: [] };
  const contracts = await rows(db, CONTRACT, SELECT_CONTRACTS, [network]);
  return { open, contracts };
}

/** SQL: submitted tokens first, and only one NFT: its number must be confirmed before the next. */
const SELECT_OPEN = `
  select t.id, t.kind, t.root_id, coalesce(t.call_id::text, 'contract ' || t.id) as key, t.name,
         t.unit_name, t.total_supply::text as total_supply, t.decimals, t.address, t.uri,
         t.contract_id, t.number, coalesce(s.transactions, '[]') as transactions
    from token t
   cross join lateral (
     select jsonb_agg(jsonb_build_object('tx_id', tx_id, 'bytes', bytes, 'last_valid', last_valid)
              order by attempt) as transactions
       from token_transaction where token_id = t.id) s
   where t.closed_at is null and t.network = $1
     and (t.kind = 'collection') = ($3 = 'solana')
     and (t.kind <> 'nft' or t.id = (
       select id from token where kind = 'nft' and closed_at is null and network = $1
        order by status = 'submitted' desc, id limit 1))
   order by t.status = 'submitted' desc, t.id limit $2`;

const SELECT_CONTRACTS = `
  select t.id, t.algo_id as app_id, w.address as wallet
    from token t join token_wallet w on w.id = t.wallet_id
   where t.kind = 'contract' and t.status = 'deployed' and t.network = $1`;

/** The result of a round for one token. */
export interface Finding {
  readonly token: OpenToken;
  readonly fate?: TokenState;
  /** New bytes, to be stored before they may be sent. */
  readonly signed?: SignedToken;
  /** The contract and the number of a signed NFT. */
  readonly place?: { readonly contractId: number; readonly number: number };
  /** The network can no longer accept its transactions, and its attempts are used up. */
  readonly isGivenUp?: true;
  /** The message of the network that refused its bytes. */
  readonly refused?: string | undefined;
}

export interface Findings {
  readonly issuer: Issuer;
  readonly findings: readonly Finding[];
  /** The reason why no more tokens could be signed. */
  readonly fault?: string;
  /** Whether there are NFTs to mint, and no contract that holds them. */
  readonly needsContract: boolean;
}

/**
 * Looks up each open token, and sends bytes that the network does not know: only stored ones. New
 * ones replace expired ones once the node and the indexers have seen all rounds of their validity.
 */
export async function findOut(tokens: TokenGateway, round: Round): Promise<Findings | undefined> {
  if (round.open.length === 0) return undefined;
  const issuer = await tokens.issuer();
  const contract = round.contracts.find(({ wallet }) => wallet === issuer.address);
  let { spendable } = issuer;
  let fault: string | undefined;
  let needsContract = false;
  const findings: Finding[] = [];
  for (const token of round.open) {
    const seen = await look(tokens, token);
    findings.push(seen.finding);
    if (!seen.isToSign) continue;
    if (token.kind === 'nft' && !contract) {
      needsContract = true;
      continue;
    }
    const cost = COSTS[token.kind];
    if (spendable < cost) {
      const unit = token.kind === 'collection' ? 'lamports' : 'micro-ALGO';
      fault = `It can spend ${spendable} ${unit}, and a token needs ${cost}.`;
      break;
    }
    spendable -= cost;
    const signed = await sign(tokens, token, contract);
    if ('fault' in signed) fault = signed.fault;
    else findings.push(signed);
  }
  return { issuer, findings, needsContract, ...(fault !== undefined && { fault }) };
}

interface LookUp {
  readonly finding: Finding;
  readonly isToSign: boolean;
}

async function look(tokens: TokenGateway, token: OpenToken): Promise<LookUp> {
  const { transactions } = token;
  const newest = transactions.at(-1);
  if (!newest) return { finding: { token }, isToSign: true };
  const fate = await tokens.fateOf(
    transactions.map(({ tx_id }) => tx_id),
    token.key,
  );
  if (fate.status === 'confirmed') return { finding: { token, fate }, isToSign: false };
  if (fate.asOf > newest.last_valid) {
    const isGivenUp = transactions.length >= ATTEMPTS_MAX;
    const finding = { token, fate, ...(isGivenUp && { isGivenUp: true as const }) };
    return { finding, isToSign: !isGivenUp };
  }
  const ids = [String(token.id)];
  crashPoint('T1', ids);
  const refused = await tokens.send(newest.bytes);
  crashPoint('T2', ids);
  return { finding: { token, fate, refused }, isToSign: false };
}

async function sign(
  tokens: TokenGateway,
  token: OpenToken,
  contract: Contract | undefined,
): Promise<Finding | { readonly fault: string }> {
  const { kind } = token;
  let order: TokenOrder = { kind: 'contract' };
  let place: Finding['place'];
  if (kind === 'asa') {
    order = {
      kind,
      name: token.name!,
      unitName: token.unit_name!,
      totalSupply: BigInt(token.total_supply!),
      decimals: token.decimals!,
    };
  } else if (kind === 'collection') {
    order = { kind, name: token.name!, symbol: token.unit_name!, uri: token.uri! };
  } else if (kind === 'nft') {
    const next = (await tokens.supplyOf(contract!.app_id)) + 1;
    const number = token.number ?? next;
    if (number !== next || (token.contract_id ?? contract!.id) !== contract!.id) {
      return { fault: `NFT ${token.id} was signed as number ${number}, and the next is ${next}.` };
    }
    place = { contractId: contract!.id, number };
    const { address, uri } = token;
    order = { kind, contract: contract!.app_id, number, address: address!, uri: uri! };
  }
  const signed = await tokens.sign(order, token.key);
  crashPoint('T0', [String(token.id)]);
  return { token, signed, ...(place && { place }) };
}
