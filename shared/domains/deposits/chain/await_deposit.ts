import type { Tx } from '../../../kernel/tx.ts';
import { column, rows } from '../../../platform/rows.ts';
import { findDeposit, notifyOf } from '../credit.ts';
import { DEPOSIT, DEPOSIT_SQL, type Deposit, type Receipt } from '../deposit.ts';
import type { PaidRail } from './networks.ts';

/** A payment by chain. */
export interface ChainReceipt extends Required<Receipt> {
  readonly rail: PaidRail;
}

/** Seconds until a waiting deposit is first checked again; later checks are further apart. */
export const LOOK_SECONDS = 10;

/**
 * Records a payment that cannot be credited yet, with the reason as a sentence. A payment credited
 * meanwhile is not changed. Emits an event the first time. The tree of its agent is locked.
 */
export async function awaitDeposit(
  tx: Tx,
  { evidence, ...receipt }: ChainReceipt,
  status: 'detected' | 'confirming',
  waitsFor: string,
): Promise<Deposit> {
  const [noted] = await rows(
    tx.db,
    { ...DEPOSIT, is_new: column.boolean },
    `with before as (
       select from deposit
        where (network, tx_id, tx_index, agent_id) = ($2, $3, $4, $9) and look_at is not null)
     insert into deposit as known
       (rail, network, tx_id, tx_index, status, waits_for, look_at, asset, amount, agent_id,
        root_id, sender, recipient, position, paid_at, bound_by)
     values ($1, $2, $3, $4, $5, $6, now() + interval '${LOOK_SECONDS} s', $7, $8, $9, $10, $11,
             $12, $13, $14, $15)
     on conflict (network, tx_id, tx_index) do update
       set status = excluded.status, waits_for = excluded.waits_for,
           look_at = coalesce(known.look_at, excluded.look_at), asset = excluded.asset,
           amount = excluded.amount, agent_id = excluded.agent_id, root_id = excluded.root_id,
           sender = excluded.sender, recipient = excluded.recipient,
           position = excluded.position, paid_at = excluded.paid_at, bound_by = excluded.bound_by
      where known.credited_at is null and known.rail = excluded.rail
     returning ${DEPOSIT_SQL}, not exists (select from before) as is_new`,
    [
      receipt.rail,
      receipt.network,
      receipt.txId,
      receipt.index,
      status,
      waitsFor,
      receipt.asset,
      receipt.amount,
      receipt.agentId,
      receipt.rootId,
      evidence.sender,
      evidence.recipient,
      evidence.position,
      evidence.paidAt,
      evidence.boundBy,
    ],
  );
  if (!noted) return findDeposit(tx, receipt);
  const { is_new, ...deposit } = noted;
  if (is_new) await notifyOf(tx, deposit, 'deposit.detected', { tx_id: receipt.txId });
  return deposit;
}

/** Rejects a waiting deposit, if there is one, and emits an event with the reason. */
export async function rejectDeposit(
  tx: Tx,
  { network, txId, index }: { network: string; txId: string; index: number },
  why: string,
): Promise<void> {
  const rejected = await rows(
    tx.db,
    DEPOSIT,
    `update deposit set status = 'rejected', waits_for = $4, look_at = null
      where network = $1 and tx_id = $2 and tx_index = $3 and look_at is not null
     returning ${DEPOSIT_SQL}`,
    [network, txId, index, why],
  );
  for (const deposit of rejected) {
    await notifyOf(tx, deposit, 'deposit.rejected', { tx_id: txId, reason: why });
  }
}
