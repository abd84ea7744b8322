import { PublicKey, SystemProgram, VersionedMessage } from '@solana/web3.js';

import { fromBase58 } from '../../../shared/domains/deposits/solana/base58.ts';
import type { RecordedTransaction, SolanaChain } from '../chain.ts';
import { simulate } from '../execute.ts';
import { pay } from '../faucet.ts';
import { commitmentIn, withContext, type Method, type Params } from './method.ts';
import { invalid, RpcError } from '../rpc_error.ts';
import { mintAt } from '../token_account.ts';
import { statusOf, transactionJson } from './transaction_json.ts';

const LISTED_MAX = 1_000;
const LAMPORTS_PER_SIGNATURE = 5_000;

/** Methods that send transactions, or tell their outcome. */
export function transactionMethods(chain: SolanaChain): Record<string, Method> {
  const { slots } = chain;
  const answer = <T>(value: T) => withContext(chain, value);
  return {
    sendTransaction: ([text, options]) =>
      chain.send(bytesOf(text, options?.encoding), {
        skipPreflight: options?.skipPreflight ?? false,
      }),
    simulateTransaction([text, options]) {
      const bytes = bytesOf(text, options?.encoding);
      const { error, logs, units } = simulate(chain.svm(), bytes);
      return answer({ err: error, logs, unitsConsumed: units, accounts: null, returnData: null });
    },
    requestAirdrop: ([address, lamports]) =>
      pay(chain, [
        SystemProgram.transfer({
          fromPubkey: chain.faucet.publicKey,
          toPubkey: new PublicKey(address),
          lamports,
        }),
      ]),
    getFeeForMessage([text]) {
      const { header } = VersionedMessage.deserialize(Buffer.from(text, 'base64'));
      return answer(LAMPORTS_PER_SIGNATURE * header.numRequiredSignatures);
    },
    getSignatureStatuses: ([signatures]) =>
      answer(
        signatures.map((signature: string) => {
          const found = chain.find(signature);
          return found ? signatureStatus(chain, found) : null;
        }),
      ),
    getSignaturesForAddress: ([address, options]) =>
      signaturesFor(chain, address, options).map((found) => ({
        signature: found.signature,
        slot: found.slot,
        err: found.error,
        memo: null,
        blockTime: found.time,
        confirmationStatus: slots.commitmentOf(found.slot),
      })),
    getTransaction([signature, how]) {
      const options = typeof how === 'string' ? { encoding: how } : (how ?? {});
      if (!fromBase58(signature, 64)) throw invalid('Invalid');
      const found = chain.find(signature);
      if (!found || !slots.reaches(found.slot, commitmentIn(options))) return null;
      const json = transactionJson(
        found,
        options.encoding ?? 'json',
        (mint) => mintAt(chain.svm(), mint)?.decimals ?? 0,
      );
      if (json.version === 'legacy' || options.maxSupportedTransactionVersion >= json.version) {
        return json;
      }
      throw new RpcError(
        -32015,
        `Transaction version (${json.version}) is not supported by the requesting client. Please ` +
          'try the request again with the following configuration parameter: ' +
          `"maxSupportedTransactionVersion": ${json.version}`,
      );
    },
  };
}

function bytesOf(text: string, encoding = 'base58'): Buffer {
  if (encoding === 'base64') return Buffer.from(text, 'base64');
  // The length follows from the text itself.
  for (let length = 1; length <= text.length; length += 1) {
    const bytes = fromBase58(text, length);
    if (bytes) return bytes;
  }
  throw invalid('no base 58');
}

function signatureStatus({ slots }: SolanaChain, found: RecordedTransaction) {
  const confirmationStatus = slots.commitmentOf(found.slot);
  return {
    slot: found.slot,
    confirmations: confirmationStatus === 'finalized' ? null : slots.current() - found.slot,
    err: found.error,
    status: statusOf(found),
    confirmationStatus,
  };
}

/** Newest first, after `before` and as far as `until`, like a node lists them. */
function signaturesFor(chain: SolanaChain, address: string, options: Params[number] = {}) {
  const commitment = commitmentIn(options);
  const { minContextSlot = 0, limit = LISTED_MAX, before, until } = options;
  if (minContextSlot > chain.slots.at(commitment)) {
    throw new RpcError(-32016, 'Minimum context slot has not been reached');
  }
  const all = chain.of(address).filter(({ slot }) => chain.slots.reaches(slot, commitment));
  const at = (signature: string) => all.findIndex((found) => found.signature === signature);
  const first = before === undefined ? 0 : at(before) + 1;
  const last = until === undefined || at(until) < 0 ? all.length : at(until);
  return all.slice(first, Math.min(last, first + limit));
}
