import { algorandNetwork } from '../deposits/algorand/settings.ts';
import { solanaCluster } from '../deposits/solana/settings.ts';
import type { SettingReader } from '../../platform/config/environment.ts';
import { rpcUrls } from '../../platform/config/chain_values.ts';
import { hostTokens, NO_TOKENS } from '../../platform/config/host_tokens.ts';
import { decimal, url, whole } from '../../platform/config/setting_values.ts';

/** Reads the networks, the wallets and the fees of tokens. */
export function tokenSettings(reader: SettingReader) {
  const { read, optional } = reader;
  const algodUrl = optional('ALGO_NODE_URL', url('http', 'https'));
  const algodToken = optional('ALGO_NODE_TOKEN', String);
  const indexerUrls = read('ALGO_INDEXER_URLS', '', rpcUrls);
  const keyFile = optional('ALGO_KEY_FILE', String);
  const signerUrl = optional('ALGO_SIGNER_URL', url('http', 'https'));
  const signer = signerUrl ?? keyFile;
  const cluster = solanaCluster(reader);
  const solanaKeyFile = optional('SOLANA_KEY_FILE', String);
  const solanaSignerUrl = optional('SOLANA_SIGNER_URL', url('http', 'https'));
  const priorityFeeMax = read('SOLANA_PRIORITY_FEE_MAX', '100000', whole(0, 100_000_000));
  return Object.freeze({
    /** Undefined: no tokens are issued. */
    algorand:
      algodUrl === undefined || indexerUrls.length === 0 || signer === undefined
        ? undefined
        : Object.freeze({
            ...algorandNetwork(reader),
            algodUrl,
            algodToken,
            /** Indexers, which all have to agree. */
            indexerUrls,
            indexerTokens: optional('ALGO_INDEXER_TOKEN', hostTokens(indexerUrls)) ?? NO_TOKENS,
            /** A path: every process reads the settings, only the one that signs reads the file. */
            keyFile,
            /** An external signer, so that no key is here. */
            signerUrl,
          }),
    /** For processes that only show collections; undefined: there is no provider. */
    cluster: cluster && Object.freeze(cluster),
    /** Undefined: no collections are made. A path, as above. */
    solana:
      cluster === undefined || (solanaSignerUrl ?? solanaKeyFile) === undefined
        ? undefined
        : Object.freeze({
            ...cluster,
            keyFile: solanaKeyFile,
            signerUrl: solanaSignerUrl,
            /** The most lamports that a transaction pays to be taken sooner. */
            priorityFeeMax,
          }),
    /** Fees for issuing one, in dollars. */
    fees: Object.freeze({
      asa: read('TOKEN_FEE_ASA', '1', decimal(0.000001, 1_000)),
      nft: read('TOKEN_FEE_NFT', '0.5', decimal(0.000001, 1_000)),
      collection: read('TOKEN_FEE_COLLECTION', '2', decimal(0.000001, 1_000)),
    }),
  });
}

export type TokenSettings = ReturnType<typeof tokenSettings>;
export type AlgorandIssuer = NonNullable<TokenSettings['algorand']>;
export type SolanaIssuer = NonNullable<TokenSettings['solana']>;
