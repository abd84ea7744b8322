import algosdk from 'algosdk';

import { tokenFor } from '../../../shared/platform/config/host_tokens.ts';
import type { AlgorandIssuer } from '../../../shared/domains/tokens/settings.ts';
import { openProfiles } from '../rpc/profiles.ts';
import { countedClient } from './counted_client.ts';

/** The node that transactions are sent to, and the indexers that tell their outcome. */
export interface Nodes {
  /** Throws if it is of another network. */
  algod(): Promise<algosdk.Algodv2>;
  /** All indexers; throws if one is of another network. */
  indexers(): Promise<readonly algosdk.Indexer[]>;
}

/** A round that every indexer has. */
const FIRST_ROUND = 1;

export function openNodes(issuer: AlgorandIssuer, profiles = openProfiles()): Nodes {
  const { algodUrl, algodToken: token } = issuer;
  const tokenHeader = token ? { 'X-Algo-API-Token': token } : {};
  const ofAlgod = countedClient(algodUrl, tokenHeader, profiles.of(algodUrl));
  const algod = new algosdk.Algodv2(ofAlgod, algodUrl); // The client alone sends requests.
  const indexers = issuer.indexerUrls.map((url) => {
    const own = tokenFor(issuer.indexerTokens, url);
    const header = own ? { 'X-Indexer-API-Token': own } : {};
    return new algosdk.Indexer(countedClient(url, header, profiles.of(url)));
  });
  const assertOurs = (hash: Uint8Array | undefined, who: string) => {
    if (Buffer.from(hash ?? []).toString('base64') === issuer.genesisHash) return;
    throw new Error(`${who} is of another network of Algorand than it should be`);
  };
  const checkAlgod = once(async () => {
    assertOurs((await algod.getTransactionParams().do()).genesisHash, 'the node');
  });
  const checkIndexers = once(async () => {
    for (const indexer of indexers) {
      const block = await indexer.lookupBlock(FIRST_ROUND).headerOnly(true).do();
      assertOurs(block.genesisHash, 'an indexer');
    }
  });
  return {
    async algod() {
      await checkAlgod();
      return algod;
    },
    async indexers() {
      await checkIndexers();
      return indexers;
    },
  };
}

/** Runs the work until it has succeeded once. */
function once(work: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    await work();
    isDone = true;
  };
}

/** The answer; undefined if the node or the indexer does not know the object. */
export async function known<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if ((error as { status?: number }).status === 404) return undefined;
    throw error;
  }
}
