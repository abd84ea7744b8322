import { deployTokens } from './deploy_tokens.ts';
import { getAsa } from './get_asa.ts';
import { getNft } from './get_nft.ts';
import { issueAsa } from './issue_asa.ts';
import { listAsa } from './list_asa.ts';
import { mintNft } from './mint_nft.ts';

/** Those of the specification's tools. */
export const CORE_TOKENS = [issueAsa] as const;

/** Those beyond. */
export const TOKENS = [getAsa, listAsa, mintNft, getNft] as const;

/** Started by timers and by other operations. */
export const TOKEN_TIMERS = [deployTokens] as const;
