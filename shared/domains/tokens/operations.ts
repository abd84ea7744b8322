import { claimAsa } from './claim_asa.ts';
import { createSolanaCollection } from './create_solana_collection.ts';
import { deployCollections } from './deploy_collections.ts';
import { deployTokens } from './deploy_tokens.ts';
import { getAsa } from './get_asa.ts';
import { getNft } from './get_nft.ts';
import { issueAsa } from './issue_asa.ts';
import { listAsa } from './list_asa.ts';
import { listNft } from './list_nft.ts';
import { mintNft } from './mint_nft.ts';
import { solanaCollection } from './solana_collection.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  issueAsa,
  solanaCollection,
  getAsa,
  listAsa,
  claimAsa,
  mintNft,
  getNft,
  listNft,
  createSolanaCollection,
  // Started by timers and by other operations.
  deployTokens,
  deployCollections,
] as const;
