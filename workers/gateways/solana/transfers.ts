import type { ChainTransfer } from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import { findReference } from '../../../shared/domains/deposits/chain/references.ts';
import type { SolanaNetwork } from '../../../shared/domains/deposits/solana/settings.ts';

/** Answer of getTransaction, parsed, with the fields that are read here. */
export interface RawTransaction {
  readonly slot: number;
  /** Seconds since 1970. */
  readonly blockTime: number | null;
  readonly meta: {
    readonly err: unknown;
    readonly fee: number;
    readonly preBalances: readonly number[];
    readonly postBalances: readonly number[];
    readonly preTokenBalances: readonly TokenBalance[];
    readonly postTokenBalances: readonly TokenBalance[];
  } | null;
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: {
      /** All accounts, those of lookup tables included. */
      readonly accountKeys: readonly { readonly pubkey: string; readonly signer?: boolean }[];
      /** Instructions that the payer wrote, without those that programs called. */
      readonly instructions: readonly { readonly programId: string; readonly parsed?: unknown }[];
    };
  };
}

interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner?: string;
  readonly uiTokenAmount: { readonly amount: string };
}

const MEMO_PROGRAMS = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
];
const NOTES_MAX = 5;

/**
 * Its payments, by the changes of balances, so they count whatever called the token program and
 * whatever fee a token keeps. Throws if the answer is not of this transaction.
 */
export async function transfersIn(
  { slot, blockTime, meta, transaction }: RawTransaction,
  txId: string,
  network: SolanaNetwork,
) {
  const { signatures, message } = transaction;
  if (signatures[0] !== txId || !meta) throw new Error('a provider answers another transaction');
  if (meta.err !== null) {
    return { transfers: [], notes: ['It has failed, and moved nothing.'], hasFailed: true };
  }
  if (blockTime === null) throw new Error('a provider does not say when its block was');
  const keys = message.accountKeys.map(({ pubkey }) => pubkey);
  const tokens = await tokenMoves(meta, keys, network);
  const coins = coinMoves(meta, keys, new Set(tokens.all.map(({ index }) => index)));
  const reference = referenceIn(message.instructions);
  const common = { txId, position: slot, at: new Date(blockTime * 1_000) };
  const transfers = [
    ...transfersOf(coins.moves, { sign: 'SOL', parity: 0, payer: keys[0]! }),
    ...transfersOf(tokens.accepted, { sign: 'USDC', parity: 1, payer: keys[0]! }),
  ].map((transfer): ChainTransfer => ({
    ...common,
    ...transfer,
    ...(reference !== undefined && { reference }),
  }));
  return {
    transfers,
    notes: [...coins.notes, ...tokens.notes].slice(0, NOTES_MAX),
    hasFailed: false,
  };
}

/** The change of an account's balance, and its owner. */
interface Move {
  readonly index: number;
  readonly owner: string;
  readonly change: bigint;
}

/** Each account that gained was paid, by the account that lost most. */
function transfersOf(
  moves: readonly Move[],
  { sign, parity, payer }: { sign: string; parity: 0 | 1; payer: string },
) {
  const [most] = moves
    .filter(({ change }) => change < 0n)
    .toSorted((a, b) => (a.change < b.change ? -1 : a.change > b.change ? 1 : a.index - b.index));
  return moves
    .filter(({ change }) => change > 0n)
    .map(({ index, owner, change }) => ({
      // An account may get both SOL and USDC.
      index: index * 2 + parity,
      asset: sign,
      amount: change,
      from: most?.owner ?? payer,
      to: owner,
    }));
}

export type Meta = NonNullable<RawTransaction['meta']>;

/** Changes in lamports. The lamports of a token account are its rent, not a payment. */
function coinMoves(meta: Meta, keys: readonly string[], tokenAccounts: ReadonlySet<number>) {
  const moves = keys.flatMap((owner, index): Move[] => {
    if (tokenAccounts.has(index)) return [];
    const change = BigInt(meta.postBalances[index]!) - BigInt(meta.preBalances[index]!);
    // The first account pays the fee.
    return [{ index, owner, change: index === 0 ? change + BigInt(meta.fee) : change }];
  });
  const [payer] = moves;
  const isPaid = payer?.index === 0 && payer.change > 0n;
  return {
    moves: isPaid ? moves.slice(1) : moves,
    notes: isPaid ? ['Money received by the account that paid the fee does not count.'] : [],
  };
}

/** Changes in USDC: its mint, in the account that follows from owner and token program. */
async function tokenMoves(meta: Meta, keys: readonly string[], { usdc }: SolanaNetwork) {
  const before = new Map(meta.preTokenBalances.map((held) => [held.accountIndex, held]));
  const after = new Map(meta.postTokenBalances.map((held) => [held.accountIndex, held]));
  const all = [...new Set([...before.keys(), ...after.keys()])].map((index) => {
    const held = after.get(index) ?? before.get(index)!;
    const amountOf = (one?: TokenBalance) => BigInt(one?.uiTokenAmount.amount ?? 0);
    const change = amountOf(after.get(index)) - amountOf(before.get(index));
    return { index, change, mint: held.mint, owner: held.owner ?? '' };
  });
  const accepted: Move[] = [];
  const notes: string[] = [];
  for (const move of all) {
    const why = move.mint === usdc ? await faultOf(move, keys[move.index]!, usdc) : OTHER_MINT;
    if (why === undefined) accepted.push(move);
    else if (move.change > 0n) notes.push(`Tokens of mint ${move.mint} do not count: ${why}`);
  }
  return { all, accepted, notes };
}

const OTHER_MINT = 'they are not USDC, whatever they are called.';

async function faultOf(
  { owner, change }: Pick<Move, 'owner' | 'change'>,
  account: string,
  mint: string,
): Promise<string | undefined> {
  if (change < 0n) return undefined; // The losing side may use any account.
  const { PublicKey } = await import('@solana/web3.js');
  const { tokenAccountOf } = await import('./token_instructions.ts');
  const own = tokenAccountOf({ owner: new PublicKey(owner), mint: new PublicKey(mint) });
  if (own.toBase58() === account) return undefined;
  return `their account is not the one that ${owner} has for them, which is ${own.toBase58()}.`;
}

/** The memo of the payer: the first that is a reference, or else the first. */
function referenceIn(
  instructions: RawTransaction['transaction']['message']['instructions'],
): string | undefined {
  const memos = instructions.flatMap(({ programId, parsed }) =>
    MEMO_PROGRAMS.includes(programId) && typeof parsed === 'string' ? [parsed] : [],
  );
  return memos.find((memo) => findReference(memo)) ?? memos[0];
}
