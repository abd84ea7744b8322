import type { EventData } from '../events/event_data.ts';
import type { EventType } from '../events/event_types.ts';
import { emit, eventsFor } from '../events/events.ts';
import { asset, insertTransfers, lockTreasuries, treasury, unclaimed } from '../ledger/ledger.ts';
import { toUsd } from '../../kernel/money.ts';
import type { Tx } from '../../kernel/tx.ts';
import { row, rows } from '../../platform/rows.ts';
import { DEPOSIT, DEPOSIT_SQL, type Deposit, type Payment } from './deposit.ts';
import { payDebt } from './debt.ts';
import { closeClaims } from './unclaimed/close_claims.ts';

/** A deposit, and whether this call has credited it. */
interface Credit {
  readonly deposit: Deposit;
  readonly isNew: boolean;
}

/**
 * Credits a payment to the wallet of its agent's tree, once however often it is called, for all
 * rails. The tree's debt is paid from it first. Locks the tree, so call it before anything else is
 * locked. The payment must be final, accepted, bound to the agent, and not paid back.
 */
export async function creditDeposit(tx: Tx, payment: Payment): Promise<Credit> {
  const { rail, rootId, usd } = payment;
  await lockTreasuries(tx.db, [rootId]);
  const deposit = await record(tx, payment);
  if (!deposit) return { deposit: await findDeposit(tx, payment), isNew: false };
  const ref = deposit.id;
  const from = asset(rail);
  await insertTransfers(tx, [
    {
      kind: 'unclaimed.release',
      ref,
      from: unclaimed(rail),
      to: from,
      credit: 0n,
      cash: deposit.suspended ?? 0n, // Transfers of zero are skipped.
    },
    { kind: 'deposit', ref, from, to: treasury(rootId), credit: 0n, cash: usd },
  ]);
  await notifyOf(tx, deposit, 'deposit.credited', { amount: toUsd(usd) });
  // Whoever credits it: no claim stays open on a payment that operators no longer decide. Only
  // payments by chain have evidence, and can be claimed.
  if (payment.evidence)
    await closeClaims(tx, ref, { acceptedRoot: rootId, note: 'It was paid by another.' });
  await payDebt(tx, rootId);
  return { deposit, isNew: true };
}

/**
 * Records the credit; undefined: it was credited before. Waits for a concurrent credit. A row from
 * before the payment was final is overwritten, even its agent.
 */
async function record({ db }: Tx, payment: Payment): Promise<Deposit | undefined> {
  const { rate, evidence: found } = payment;
  const [deposit] = await rows(
    db,
    DEPOSIT,
    `insert into deposit as known
       (rail, network, tx_id, tx_index, status, asset, amount, usd, rate_price, rate_source,
        rate_at, agent_id, root_id, credited_at, sender, recipient, position, paid_at, bound_by)
     values ($1, $2, $3, $4, 'credited', $5, $6, $7, $8, $9, $10, $11, $12, now(), $13, $14, $15,
             $16, $17)
     on conflict (network, tx_id, tx_index) do update
       set status = 'credited', waits_for = null, look_at = null, credited_at = now(),
           asset = excluded.asset, amount = excluded.amount, usd = excluded.usd,
           rate_price = excluded.rate_price, rate_source = excluded.rate_source,
           rate_at = excluded.rate_at, agent_id = excluded.agent_id, root_id = excluded.root_id,
           sender = excluded.sender, recipient = excluded.recipient,
           position = excluded.position, paid_at = excluded.paid_at, bound_by = excluded.bound_by
      where known.credited_at is null and known.rail = excluded.rail
        and known.status <> 'returned'
     returning ${DEPOSIT_SQL}`,
    [
      payment.rail,
      payment.network,
      payment.txId,
      payment.index ?? 0,
      payment.asset,
      payment.amount,
      payment.usd,
      rate.price,
      rate.source,
      rate.at,
      payment.agentId,
      payment.rootId,
      found?.sender,
      found?.recipient,
      found?.position,
      found?.paidAt,
      found?.boundBy,
    ],
  );
  return deposit;
}

/** The deposit of a recorded payment. */
export const findDeposit = (
  { db }: Tx,
  { network, txId, index = 0 }: Pick<Payment, 'network' | 'txId' | 'index'>,
): Promise<Deposit> =>
  row(
    db,
    DEPOSIT,
    `select ${DEPOSIT_SQL} from deposit where network = $1 and tx_id = $2 and tx_index = $3`,
    [network, txId, index],
  );

/** Emits an event of a deposit to its agent and to the root of its tree. */
export async function notifyOf(
  tx: Tx,
  { id, status, agent_id, root_id }: Deposit,
  type: EventType<'deposit'>,
  more: EventData,
): Promise<void> {
  const object = { kind: 'deposit' as const, id, status };
  const data = { deposit_id: id, agent_id, ...more };
  await emit(tx.db, eventsFor([agent_id, root_id], { type, object, data }));
}
