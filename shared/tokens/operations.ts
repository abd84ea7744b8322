import { createSolanaCollection } from './create_solana_collection.ts';
import { deployCollections } from './deploy_collections.ts';
import { deployTokens } from './deploy_tokens.ts';
import { getAsa } from './get_asa.ts';
import { getNft } from './get_nft.ts';
import { issueAsa } from './issue_asa.ts';
import { listAsa } from './list_asa.ts';
import { mintNft } from './mint_nft.ts';
import { solanaCollection } from './solana_collection.ts';

/** Those of the specification's tools. */
export const CORE_TOKENS = [issueAsa] as const;
export const CORE_COLLECTIONS = [solanaCollection] as const;

/** Those beyond. */
export const TOKENS = [getAsa, listAsa, mintNft, getNft, createSolanaCollection] as const;

/** Started by timers and by other operations. */
export const TOKEN_TIMERS = [deployTokens, deployCollections] as const;
