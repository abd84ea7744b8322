import type {
  ChainTransaction,
  ChainTransfer,
  DepositChain,
  Recipients,
  Position,
} from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { SolanaNetwork } from '../../../shared/domains/deposits/solana/settings.ts';
import type { JsonRpc } from '../rpc/json_rpc.ts';
import { openBalances } from './balances.ts';
import { checked } from './checked.ts';
import { openSignatures, type Stretch } from './signatures.ts';
import { transfersIn, type RawTransaction } from './transfers.ts';

/**
 * Slots in a stretch: a little over an hour. Signatures are listed backwards from the newest, so a
 * short stretch costs as much as a long one when the watcher is far behind.
 */
const STRETCH_MAX = 10_000;
/** Transactions requested at once. */
const AT_ONCE = 16;
const FINAL = { commitment: 'finalized' } as const;

/** Solana as one provider sees it. */
export function openProvider(rpc: JsonRpc, network: SolanaNetwork): DepositChain {
  const host = rpc.profile.name;
  const ask = checked(rpc, network.genesis);
  const signatures = openSignatures(ask, network);
  const find = (txId: string, commitment: 'finalized' | 'confirmed') =>
    ask<RawTransaction | null>('getTransaction', [
      txId,
      // Without a version it would refuse all transactions with lookup tables.
      { commitment, encoding: 'jsonParsed', maxSupportedTransactionVersion: 1 },
    ]);

  async function read(txId: string): Promise<ChainTransaction> {
    // A final transaction needs no second question.
    const final = await find(txId, 'finalized');
    const found = final ?? (await find(txId, 'confirmed'));
    if (!found) return { status: 'unknown' };
    const { transfers, notes, hasFailed } = await transfersIn(found, txId, network);
    if (!final) return { status: 'unfinal', transfers, notes };
    return hasFailed ? { status: 'failed' } : { status: 'final', transfers, notes };
  }

  async function scan(from: number, to: number, recipients: Recipients) {
    const stretch: Stretch = { from, to };
    if (!recipients.has(network.address)) return [];
    const found: ChainTransfer[] = [];
    const listed = await signatures.in(stretch);
    for (let at = 0; at < listed.length; at += AT_ONCE) {
      const group = listed.slice(at, at + AT_ONCE);
      const read = await Promise.all(group.map((txId) => readFinal(txId, stretch)));
      found.push(...read.flat().filter((transfer) => recipients.has(transfer.to)));
    }
    // Two providers may order the transactions of one slot differently.
    return found.toSorted(
      (a, b) => a.position - b.position || a.txId.localeCompare(b.txId) || a.index - b.index,
    );
  }

  async function readFinal(txId: string, { from, to }: Stretch) {
    const found = await read(txId);
    if (found.status !== 'final') throw new Error(`${host} lists a transaction and has it not`);
    return found.transfers.filter(({ position }) => position >= from && position <= to);
  }

  async function finalPosition(): Promise<Position> {
    const number = await ask<number>('getSlot', [FINAL]);
    const seconds = await ask<number | null>('getBlockTime', [number]);
    if (seconds === null) throw new Error(`${host} does not say when slot ${number} was`);
    return { number, at: new Date(seconds * 1_000) };
  }

  const balances = openBalances({ ask, signatures, find }, network);
  return { stretchMax: STRETCH_MAX, read, scan, finalPosition, balances };
}
