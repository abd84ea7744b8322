import { column, rows, type Database } from '../../../platform/rows.ts';
import type { ChainTransaction } from '../chain/deposit_chain.ts';

/**
 * The transfers of a transaction that left the address of payments for calls, which is compared
 * with the chain: those are final. Unknown: none of it has, or it was not read yet.
 */
export async function sentFrom(db: Database, txId: string): Promise<ChainTransaction> {
  const found = await rows(
    db,
    SENT,
    `select log_index, amount::text, pay_to, recipient, block_number from x402_sent
      where tx_hash = $1 order by log_index`,
    [txId],
  );
  if (found.length === 0) return { status: 'unknown' };
  const transfers = found.map((sent) => ({
    txId,
    index: sent.log_index,
    asset: 'USDC',
    amount: BigInt(sent.amount),
    from: sent.pay_to,
    to: sent.recipient,
    position: sent.block_number,
    at: new Date(0), // Not known, and not needed: blocks say what was later.
  }));
  return { status: 'final', transfers, notes: [] };
}

const SENT = {
  log_index: column.int,
  amount: column.text,
  pay_to: column.text,
  recipient: column.text,
  block_number: column.int,
};
