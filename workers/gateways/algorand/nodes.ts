import algosdk from 'algosdk';

import { tokenFor } from '../../../shared/platform/config/host_tokens.ts';
import type { AlgorandIssuer } from '../../../shared/domains/tokens/settings.ts';

/** The node that transactions are sent to, and the indexers that tell their outcome. */
export interface Nodes {
  /** Throws if it is of another network. */
  algod(): Promise<algosdk.Algodv2>;
  /** All indexers; throws if one is of another network. */
  indexers(): Promise<readonly algosdk.Indexer[]>;
}

/** A round that every indexer has. */
const FIRST_ROUND = 1;

export function openNodes(issuer: AlgorandIssuer): Nodes {
  const algod = clientOf(issuer.algodUrl, (server, port) => {
    return new algosdk.Algodv2(issuer.algodToken ?? '', server, port);
  });
  const indexers = issuer.indexerUrls.map((url) =>
    clientOf(
      url,
      (server, port) =>
        new algosdk.Indexer(tokenFor(issuer.indexerTokens, url) ?? '', server, port),
    ),
  );
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

/** A client for a URL. The SDK takes the port apart, and a wrong default if there is none. */
function clientOf<T>(url: string, make: (server: string, port: string) => T): T {
  const { protocol, hostname, port, pathname } = new URL(url);
  const usual = protocol === 'https:' ? '443' : '80';
  return make(`${protocol}//${hostname}${pathname.replace(/\/$/, '')}`, port || usual);
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
