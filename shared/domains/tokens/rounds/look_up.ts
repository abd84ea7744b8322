import { crashPoint } from '../../../platform/crash_point.ts';
import type { SignedToken, TokenGateway, TokenState } from '../token_gateway.ts';
import type { OpenToken } from './open_tokens.ts';

/** Maximum attempts; then the token has failed. */
const ATTEMPTS_MAX = 5;

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

export interface LookUp {
  readonly finding: Finding;
  readonly isToSign: boolean;
}

export async function lookUp(tokens: TokenGateway, token: OpenToken): Promise<LookUp> {
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
