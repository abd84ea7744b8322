import type {
  ExplainedChange,
  ListedBalances,
} from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { SolanaNetwork } from '../../../shared/domains/deposits/solana/settings.ts';
import { beside, changesByBlock } from '../listed_changes.ts';
import type { JsonRpc } from '../rpc/json_rpc.ts';
import { heldBefore, type AccountMove } from './account_moves.ts';
import { usdcAccountOf, type openSignatures, type Stretch } from './signatures.ts';
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

/** Transactions of one reading, which are read one by one. The next reading goes on behind them. */
const TRANSACTIONS_MAX = 500;

/** Balances of the deposit address, as one provider says. */
export function openBalances(node: Node, network: SolanaNetwork): ListedBalances {
  const accountOf = async (asset: string) =>
    asset === 'SOL' ? network.address : usdcAccountOf(network);
  async function listed(asset: string, { from, to }: Stretch) {
    if (from > to) return [];
    return node.signatures.of(await accountOf(asset), { from, to });
  }
  async function read(txId: string) {
    const raw = await node.find(txId, 'confirmed');
    if (!raw?.meta) throw new Error('a provider lists a transaction and has it not');
    return { ...raw, meta: raw.meta };
  }

  return {
    /** The present balance, or what the next transaction of the account found. */
    async held(block, asset, addresses) {
      if (addresses.length !== 1 || addresses[0] !== network.address) {
        throw new Error('of Solana only the deposit address is read');
      }
      const account = await accountOf(asset);
      const { context, value } = await node.ask<Accounts>('getMultipleAccounts', [
        [network.address, await usdcAccountOf(network)],
        { commitment: 'confirmed', encoding: 'jsonParsed', minContextSlot: block },
      ]);
      if (context.slot < block) throw new Error(`a provider is behind ${block}`);
      const later = await listed(asset, { from: block + 1, to: context.slot });
      for (const slot of new Set(later.map((one) => one.slot))) {
        const inSlot = later.filter((one) => one.slot === slot);
        const moves: AccountMove[] = [];
        for (const { signature } of inSlot) {
          moves.push(moveOf(await read(signature), { asset, account }));
        }
        const before = heldBefore(moves);
        if (before !== undefined) return [before];
      }
      return [asset === 'SOL' ? BigInt(value[0]?.lamports ?? 0) : tokensIn(value[1])];
    },

    async reach(asset, { from, to }) {
      const all = await listed(asset, { from: from + 1, to });
      const next = all[TRANSACTIONS_MAX]?.slot;
      if (next === undefined) return to;
      // A slot is read whole, however many it has.
      return all[0]!.slot < next ? next - 1 : next;
    },

    async changes(asset, { from, to }) {
      const account = await accountOf(asset);
      const found: ExplainedChange[] = [];
      for (const { signature } of await listed(asset, { from: from + 1, to })) {
        const raw = await read(signature);
        const { before, after } = moveOf(raw, { asset, account });
        const change = after - before;
        if (change !== 0n) found.push(await explained(raw, signature, { asset, change }, network));
      }
      return changesByBlock(found);
    },
  };
}

function tokensIn(account: Accounts['value'][1]): bigint {
  if (!account) return 0n;
  const amount = account.data.parsed?.info?.tokenAmount?.amount;
  if (amount === undefined) throw new Error('a provider does not say what a token account holds');
  return BigInt(amount);
}

/** Balance of an account before and after a transaction, which has it among its keys. */
function moveOf(
  { transaction, meta }: RawTransaction & { readonly meta: Meta },
  { asset, account }: { readonly asset: string; readonly account: string },
): AccountMove {
  const { accountKeys } = transaction.message;
  const at = accountKeys.findIndex(({ pubkey }) => pubkey === account);
  if (at < 0) throw new Error('a provider lists a transaction of another account');
  if (asset === 'SOL') {
    return { before: BigInt(meta.preBalances[at]!), after: BigInt(meta.postBalances[at]!) };
  }
  const amountIn = (all: Meta['preTokenBalances']) =>
    BigInt(all.find(({ accountIndex }) => accountIndex === at)?.uiTokenAmount.amount ?? 0);
  return { before: amountIn(meta.preTokenBalances), after: amountIn(meta.postTokenBalances) };
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
