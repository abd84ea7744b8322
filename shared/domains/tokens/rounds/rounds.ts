import { crashPoint } from '../../../platform/crash_point.ts';
import { COSTS, type Issuer, type TokenGateway, type TokenOrder } from '../token_gateway.ts';
import { lookUp, type Finding } from './look_up.ts';
import { mintGroup } from './nft_group.ts';
import type { OpenToken, Round } from './open_tokens.ts';

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
  const findings: Finding[] = [];
  for (const token of round.open) {
    if (token.kind === 'nft') continue;
    const seen = await lookUp(tokens, token);
    findings.push(seen.finding);
    if (!seen.isToSign) continue;
    const cost = COSTS[token.kind];
    if (spendable < cost) {
      const unit = token.kind === 'collection' ? 'lamports' : 'micro-ALGO';
      fault = `It can spend ${spendable} ${unit}, and a token needs ${cost}.`;
      break;
    }
    spendable -= cost;
    findings.push(await sign(tokens, token));
  }
  const nfts = round.open.filter(({ kind }) => kind === 'nft');
  const minted = await mintGroup(tokens, { nfts, contract, spendable });
  fault ??= minted.fault;
  return {
    issuer,
    findings: [...findings, ...minted.findings],
    needsContract: minted.needsContract === true,
    ...(fault !== undefined && { fault }),
  };
}

async function sign(tokens: TokenGateway, token: OpenToken): Promise<Finding> {
  const { kind } = token;
  let order: TokenOrder = { kind: 'contract' };
  if (kind === 'asa') {
    order = {
      kind,
      name: token.name!,
      unitName: token.unit_name!,
      totalSupply: BigInt(token.total_supply!),
      decimals: token.decimals!,
    };
  } else if (kind === 'claim') {
    const { claimed, claimed_supply, address } = token;
    order = { kind, asset: claimed!, amount: BigInt(claimed_supply!), address: address! };
  } else if (kind === 'collection') {
    order = { kind, name: token.name!, symbol: token.unit_name!, uri: token.uri! };
  }
  const signed = await tokens.sign(order, token.key);
  crashPoint('T0', [String(token.id)]);
  return { token, signed };
}
