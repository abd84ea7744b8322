import { toBase58 } from '../../../shared/domains/deposits/solana/base58.ts';
import type { SolanaIssuer, TokenSettings } from '../../../shared/domains/tokens/settings.ts';
import {
  COSTS,
  type TokenState,
  type TokenGateway,
} from '../../../shared/domains/tokens/token_gateway.ts';
import { openJsonRpc, type JsonRpc } from '../rpc/json_rpc.ts';
import { openProfiles } from '../rpc/profiles.ts';
import { RpcRefusal } from '../rpc/refusal.ts';
import { checked } from './checked.ts';
import { priorityFee } from './priority_fee.ts';

const FINAL = { commitment: 'finalized' } as const;
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

/** Collections on Solana, made by our wallet. */
export function openCollections(
  { solana }: Pick<TokenSettings, 'solana'>,
  profiles = openProfiles(),
): TokenGateway {
  if (!solana) throw new Error('SOLANA_RPC_URLS and SOLANA_KEY_FILE are not set');
  const asks = solana.rpcUrls.map((url) =>
    checked(openJsonRpc(url, { profile: profiles.of(url) }), solana.genesis),
  );
  const made = once(() => open(solana));
  /** The answer of the first provider that answers. */
  const ask = <T>(method: string, params: readonly unknown[]) =>
    firstOf(asks.map((one) => () => one<T>(method, params)));

  return {
    async issuer() {
      const { signer } = await made();
      const address = signer.owner.toBase58();
      const { value } = await ask<{ value: number }>('getBalance', [address, FINAL]);
      const kept = await ask<number>('getMinimumBalanceForRentExemption', [0]);
      return { address, spendable: BigInt(Math.max(0, value - kept)) };
    },

    supplyOf: () => Promise.reject(new Error('NFTs are on Algorand')),
    hasOptedIn: () => Promise.reject(new Error('assets are on Algorand')),
    mint: () => Promise.reject(new Error('NFTs are on Algorand')),

    async sign(order, key) {
      if (order.kind !== 'collection') throw new Error(`what is a ${order.kind} is on Algorand`);
      const { signer, bytesOf, collectionTransaction } = await made();
      const rent = await ask<number>('getMinimumBalanceForRentExemption', [bytesOf(order)]);
      // The rent that a provider asks for is spent for good, so it is bounded.
      if (rent > COSTS.collection) throw new Error(`a provider wants ${rent} lamports to be kept`);
      const { value: latest } = await ask<{ value: LatestBlockhash }>('getLatestBlockhash', [
        FINAL,
      ]);
      const account = signer.owner.toBase58();
      const fee = await priorityFee(ask, { account, lamportsMax: solana.priorityFeeMax });
      const context = { signer, key, rent, priorityFee: fee, ...latest };
      const transaction = await collectionTransaction(order, context);
      return {
        txId: toBase58(transaction.signature!),
        bytes: transaction.serialize().toString('base64'),
        lastValid: latest.lastValidBlockHeight,
      };
    },

    /** Sends to all providers: one that does not answer must not be the only one that has it. */
    async send(bytes) {
      const options = { encoding: 'base64', preflightCommitment: 'confirmed' };
      const sent = asks.map((one) => one('sendTransaction', [bytes, options]));
      const said = await Promise.allSettled(sent);
      if (said.some(({ status }) => status === 'fulfilled')) return undefined;
      const { reason } = said.find(isRefusal) ?? (said[0] as PromiseRejectedResult);
      if (!(reason instanceof RpcRefusal)) throw reason;
      return /already been processed/.test(reason.message)
        ? undefined
        : reason.message.slice(0, 500);
    },

    async fateOf(txIds, key) {
      const { signer, mintOf } = await made();
      const mint = (await mintOf(signer.owner, key)).toBase58();
      const said = await Promise.allSettled(asks.map((one) => sightOf(one, txIds, mint)));
      const seen = said.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      if (seen.length < solana.quorum) {
        throw (said.find(({ status }) => status === 'rejected') as PromiseRejectedResult).reason;
      }
      return fateIn(seen, { txIds, mint, quorum: solana.quorum });
    },
  };
}

const isRefusal = (one: PromiseSettledResult<unknown>): one is PromiseRejectedResult =>
  one.status === 'rejected' && one.reason instanceof RpcRefusal;

/** web3.js takes a tenth of a second to load, so only a process that makes collections loads it. */
async function open(settings: SolanaIssuer) {
  const [made, { openSigner }] = await Promise.all([
    import('./collection_transaction.ts'),
    import('./signer.ts'),
  ]);
  return { ...made, signer: await openSigner(settings) };
}

interface LatestBlockhash {
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
}

interface Status {
  readonly slot: number;
  readonly err: unknown;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized';
}

/** The state as one provider sees it. */
interface ProviderView {
  /** Final height, read before the rest. */
  readonly height: number;
  /** Statuses in the order of the transactions; null: unknown to the provider. */
  readonly statuses: readonly (Status | null)[];
  readonly isMade: boolean;
}

async function sightOf(ask: JsonRpc['ask'], txIds: readonly string[], mint: string) {
  const height = await ask<number>('getBlockHeight', [FINAL]);
  const { value: statuses } = await ask<{ value: ProviderView['statuses'] }>(
    'getSignatureStatuses',
    [
      txIds,
      // Without it a node forgets transactions after some minutes.
      { searchTransactionHistory: true },
    ],
  );
  const account = await ask<{ value: { readonly owner: string } | null }>('getAccountInfo', [
    mint,
    { ...FINAL, encoding: 'base64' },
  ]);
  return { height, statuses, isMade: account.value?.owner === TOKEN_2022 };
}

/** The outcome. A transaction that failed for good counts like an unknown one. */
function fateIn(
  seen: readonly ProviderView[],
  { txIds, mint, quorum }: { txIds: readonly string[]; mint: string; quorum: number },
): TokenState {
  let isKnown = seen.some(({ isMade }) => isMade);
  for (const [at, txId] of txIds.entries()) {
    const final = seen.filter(({ statuses, isMade }) => isMade && isFinal(statuses[at]));
    const round = final[0]?.statuses[at]?.slot;
    const same = final.filter(({ statuses }) => statuses[at]?.slot === round);
    if (round !== undefined && same.length >= quorum) {
      return { status: 'confirmed', txId, round, id: mint };
    }
    isKnown ||= seen.some(({ statuses }) => isPossiblyTaken(statuses[at]));
  }
  const asOf = isKnown ? 0 : Math.min(...seen.map(({ height }) => height));
  return { status: 'unknown', asOf };
}

const isFinal = (status: Status | null | undefined): boolean =>
  status?.confirmationStatus === 'finalized' && status.err === null;

const isPossiblyTaken = (status: Status | null | undefined): boolean =>
  Boolean(status) && !(status!.confirmationStatus === 'finalized' && status!.err !== null);

async function firstOf<T>(asks: readonly (() => Promise<T>)[]): Promise<T> {
  let fault: unknown;
  for (const ask of asks) {
    try {
      return await ask();
    } catch (error) {
      fault ??= error;
    }
  }
  throw fault;
}

/** Makes a value until that has succeeded once. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
