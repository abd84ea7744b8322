import algosdk from 'algosdk';

import { ARC72 } from '../../../shared/domains/tokens/arc72/arc72_program.ts';
import type { AlgorandIssuer, TokenSettings } from '../../../shared/domains/tokens/settings.ts';
import type { TokenState, TokenGateway } from '../../../shared/domains/tokens/token_gateway.ts';
import { answerOf } from '../answer_of.ts';
import { known, openNodes, type Nodes } from './nodes.ts';
import { openProfiles, type Profiles } from '../rpc/profiles.ts';
import { redacted } from '../rpc/redact.ts';
import { openSigner } from './signer.ts';
import { bytesOf, mintingOf, transactionOf, WINDOW_ROUNDS } from './token_groups.ts';

export function openTokens(
  { algorand }: Pick<TokenSettings, 'algorand'>,
  profiles = openProfiles(),
): TokenGateway {
  if (!algorand) throw new Error('ALGO_NODE_URL, ALGO_INDEXER_URLS and ALGO_KEY_FILE are not set');
  const issuer = openIssuer(algorand, profiles);
  const ask = <T>(asked: Promise<T>) => answerOf('the node or an indexer of Algorand', asked);
  return {
    issuer: () => ask(issuer.issuer()),
    supplyOf: (contract) => ask(issuer.supplyOf(contract)),
    hasOptedIn: (asset, address) => ask(issuer.hasOptedIn(asset, address)),
    sign: (order, key) => ask(issuer.sign(order, key)),
    mint: (contract, nfts) => ask(issuer.mint(contract, nfts)),
    send: (bytes) => ask(issuer.send(bytes)),
    fateOf: (txIds, key) => ask(issuer.fateOf(txIds, key)),
  };
}

function openIssuer(issuer: AlgorandIssuer, profiles: Profiles): TokenGateway {
  const nodes = openNodes(issuer, profiles);
  const signer = openSigner(issuer);
  const bytesOfSigned = async (group: readonly algosdk.Transaction[]) =>
    Buffer.concat(await signer.sign(group)).toString('base64');

  async function common() {
    const algod = await nodes.algod();
    const suggestedParams = await algod.getTransactionParams().do();
    suggestedParams.lastValid = BigInt(suggestedParams.firstValid) + WINDOW_ROUNDS;
    return { sender: await signer.address(), suggestedParams };
  }

  return {
    async issuer() {
      const algod = await nodes.algod();
      const address = await signer.address();
      const { amount, minBalance } = await algod.accountInformation(address).do();
      const spendable = amount - BigInt(minBalance);
      return { address, spendable: spendable > 0n ? spendable : 0n };
    },

    async supplyOf(contract) {
      const algod = await nodes.algod();
      const { params } = await algod.getApplicationByID(contract).do();
      if (!params || !Buffer.from(params.approvalProgram).equals(bytesOf(ARC72.approval))) {
        throw new Error(`application ${contract} has another program than our contract`);
      }
      const key = Buffer.from('supply');
      const supply = params.globalState?.find((pair) => key.equals(pair.key));
      return Number(supply?.value.uint ?? 0n);
    },

    async hasOptedIn(asset, address) {
      const algod = await nodes.algod();
      const holding = await known(algod.accountAssetInformation(address, asset).do());
      return holding?.assetHolding !== undefined;
    },

    async sign(order, key) {
      const { sender, suggestedParams } = await common();
      const transaction = transactionOf(order, { sender, key, suggestedParams });
      const bytes = await bytesOfSigned([transaction]);
      return { txId: transaction.txID(), bytes, lastValid: Number(suggestedParams.lastValid) };
    },

    async mint(contract, nfts) {
      const algod = await nodes.algod();
      const { sender, suggestedParams } = await common();
      const group = await mintingOf(algod, { contract, nfts }, { sender, suggestedParams });
      return {
        txIds: group.slice(-nfts.length).map((call) => call.txID()),
        bytes: await bytesOfSigned(group),
        lastValid: Number(suggestedParams.lastValid),
      };
    },

    async send(bytes) {
      const algod = await nodes.algod();
      try {
        await algod.sendRawTransaction(bytesOf(bytes)).do();
        return undefined;
      } catch (error) {
        const { message, status } = error as Error & { status?: number };
        // The error is not about these bytes: the node does not answer.
        if (status === undefined || status >= 500) throw error;
        return /already in ledger/.test(message) ? undefined : redacted(message);
      }
    },

    fateOf: (txIds) => fateOf(nodes, txIds),
  };
}

async function fateOf(nodes: Nodes, txIds: readonly string[]): Promise<TokenState> {
  const [algod, indexers] = [await nodes.algod(), await nodes.indexers()];
  // Read before the look-up, so that a transaction unknown to them was in no round up to these.
  const seen = [Number((await algod.status().do()).lastRound)];
  for (const indexer of indexers) seen.push(Number((await indexer.makeHealthCheck().do()).round));
  for (const txId of txIds) {
    const pending = await known(algod.pendingTransactionInformation(txId).do());
    const asked = indexers.map((indexer) => known(indexer.lookupTransactionByID(txId).do()));
    const found = (await Promise.all(asked)).map((answer) => answer?.transaction);
    const [first] = found;
    if (first && found.every((one) => one && isSame(one, first))) {
      return { status: 'confirmed', txId, ...(await issuedBy(algod, first)) };
    }
    // One of them is behind or wrong: ask again later.
    if (pending || found.some(Boolean)) return { status: 'unknown', asOf: 0 };
  }
  return { status: 'unknown', asOf: Math.min(...seen) };
}

type IndexedTransaction = algosdk.indexerModels.Transaction;

const isSame = (one: IndexedTransaction, other: IndexedTransaction): boolean =>
  one.confirmedRound === other.confirmedRound && idOf(one) === idOf(other);

const idOf = (one: IndexedTransaction): bigint | undefined =>
  one.createdAssetIndex ||
  one.createdApplicationIndex ||
  one.applicationTransaction?.applicationId ||
  one.assetTransferTransaction?.assetId;

/** The token that it issued, which the node must know too. */
async function issuedBy(algod: algosdk.Algodv2, transaction: IndexedTransaction) {
  const { confirmedRound: round, sender } = transaction;
  const asset = transaction.createdAssetIndex || transaction.assetTransferTransaction;
  const id = idOf(transaction);
  if (!id || !round) throw new Error('an indexer does not say what a transaction has issued');
  const made = asset ? algod.getAssetByID(id).do() : algod.getApplicationByID(id).do();
  const creator = (await made).params?.creator;
  if (String(creator) === sender) return { id: Number(id), round: Number(round) };
  throw new Error(`an indexer says that we have issued ${id}, and the node says otherwise`);
}
