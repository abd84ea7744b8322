import type {
  ExplainedChange,
  ListedBalances,
} from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { SolanaNetwork } from '../../../shared/domains/deposits/solana/settings.ts';
import { beside, changesByBlock, sumOf } from '../listed_changes.ts';
import type { JsonRpc } from '../rpc/json_rpc.ts';
import { usdcAccountOf, type openSignatures } from './signatures.ts';
import { transfersIn, type Meta, type RawTransaction } from './transfers.ts';

interface Node {
  readonly ask: JsonRpc['ask'];
  readonly signatures: ReturnType<typeof openSignatures>;
  find(txId: string, commitment: 'confirmed'): Promise<RawTransaction | null>;
}

interface Accounts {
  readonly context: { readonly slot: number };
  readonly value: readonly [
    { readonly lamports: number } | null,
    { readonly data: ParsedTokens } | null,
  ];
}
interface ParsedTokens {
  readonly parsed?: {
    readonly info?: { readonly tokenAmount?: { readonly amount?: string } };
  };
}

/** Transactions that are read one by one; more of them are left to a later reading. */
const TRANSACTIONS_MAX = 1_000;

/** Balances of the deposit address, as one provider says. */
export function openBalances(node: Node, network: SolanaNetwork): ListedBalances {
  async function changesIn(asset: string, from: number, to: number) {
    if (from >= to) return [];
    const listed = await node.signatures.all({ from: from + 1, to });
    if (listed.length > TRANSACTIONS_MAX) throw new Error('too many transactions at once');
    const usdcAccount = await usdcAccountOf(network);
    const found: ExplainedChange[] = [];
    for (const txId of listed) {
      const raw = await node.find(txId, 'confirmed');
      if (!raw?.meta) throw new Error('a provider lists a transaction and has it not');
      const account = asset === 'SOL' ? network.address : usdcAccount;
      const change = changeOf(raw, raw.meta, { asset, account });
      if (change !== 0n) found.push(await explained(raw, txId, { asset, change }, network));
    }
    return changesByBlock(found);
  }

  return {
    async held(block, asset, addresses) {
      if (addresses.length !== 1 || addresses[0] !== network.address) {
        throw new Error('of Solana only the deposit address is read');
      }
      const { context, value } = await node.ask<Accounts>('getMultipleAccounts', [
        [network.address, await usdcAccountOf(network)],
        { commitment: 'confirmed', encoding: 'jsonParsed', minContextSlot: block },
      ]);
      if (context.slot < block) throw new Error(`a provider is behind ${block}`);
      const now = asset === 'SOL' ? BigInt(value[0]?.lamports ?? 0) : tokensIn(value[1]);
      return [now - sumOf(await changesIn(asset, block, context.slot))];
    },
    changes: (asset, { from, to }) => changesIn(asset, from, to),
  };
}

function tokensIn(account: Accounts['value'][1]): bigint {
  if (!account) return 0n;
  const amount = account.data.parsed?.info?.tokenAmount?.amount;
  if (amount === undefined) throw new Error('a provider does not say what a token account holds');
  return BigInt(amount);
}

function changeOf(
  { transaction }: RawTransaction,
  meta: Meta,
  { asset, account }: { readonly asset: string; readonly account: string },
): bigint {
  const { accountKeys } = transaction.message;
  const at = accountKeys.findIndex(({ pubkey }) => pubkey === account);
  if (at < 0) return 0n;
  if (asset === 'SOL') return BigInt(meta.postBalances[at]!) - BigInt(meta.preBalances[at]!);
  const amountIn = (all: Meta['preTokenBalances']) =>
    BigInt(all.find(({ accountIndex }) => accountIndex === at)?.uiTokenAmount.amount ?? 0);
  return amountIn(meta.postTokenBalances) - amountIn(meta.preTokenBalances);
}

async function explained(
  raw: RawTransaction,
  txId: string,
  { asset, change }: { readonly asset: string; readonly change: bigint },
  network: SolanaNetwork,
): Promise<ExplainedChange> {
  const { address } = network;
  if (raw.blockTime === null) throw new Error('a provider does not say when its block was');
  const { transfers: all } = await transfersIn(raw, txId, network);
  const transfers = all.filter((one) => one.asset === asset && one.to === address);
  const { accountKeys } = raw.transaction.message;
  const isOwn = accountKeys.some(({ pubkey, signer }) => pubkey === address && signer);
  const own = isOwn ? beside(change, transfers) : 0n;
  const at = new Date(raw.blockTime * 1_000);
  return { block: raw.slot, asset, address, change, own, at, transfers };
}
