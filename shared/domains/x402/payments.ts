import type { Limit } from '../../kernel/limits/limits.ts';
import {
  column,
  execute,
  jsonOf,
  namesOf,
  nullable,
  oneOf,
  rows,
  type Database,
  type Row,
} from '../../platform/rows.ts';
import type { RecordedPayment } from './gateway.ts';
import { USED_BEFORE } from './outcomes.ts';
import type { Authorization, Payment } from './payment.ts';
import type { X402Rail } from './settings.ts';

/**
 * Payments of one address that are not settled, yet or at all: each costs us a job and two
 * questions, and its sender nothing.
 */
export const UNSETTLED: Limit = {
  kind: 'unsettled_payments',
  max: 50,
  windowSeconds: 3_600,
  reached:
    '50 payments from your address were not settled in the last hour. Nothing was taken now: ' +
    'repeat one of them.',
  details: { charged: false },
};

type Status = 'open' | 'settled' | 'lapsed';

const PAYMENT = {
  id: column.id,
  network: column.text,
  payer: column.text,
  nonce: column.text,
  amount: column.micros,
  version: column.int,
  authorization_sent: jsonOf<Authorization>(),
  signature: column.text,
  valid_before: column.time,
  operation: column.text,
  input_hash: column.bytes,
  agent_id: nullable(column.id),
  root_id: nullable(column.id),
  job_id: column.text,
  call_key: nullable(column.text),
  origin: nullable(column.bytes),
  status: oneOf<Status>(),
  reason: nullable(column.text),
  tx_id: nullable(column.text),
  deposit_id: nullable(column.id),
  created_at: column.time,
};
export type PaymentRow = Row<typeof PAYMENT>;

/** Which call a payment pays for, and whose key came with it, if one did. */
interface PaidCall {
  readonly operation: string;
  readonly inputHash: Buffer;
  readonly agentId: number | null;
  readonly rootId: number | null;
  /** The Idempotency-Key that was sent with it. */
  readonly callKey: string | null;
  /** Keyed hash of the address that it came from. */
  readonly origin: Buffer | null;
}

/** Records a payment before anything is done with it. Undefined: it was recorded before. */
export async function recordPayment(
  db: Database,
  { network, asset, payTo }: X402Rail,
  payment: Payment,
  call: PaidCall & { readonly jobId: string },
): Promise<number | undefined> {
  const [inserted] = await rows(
    db,
    { id: column.id },
    `insert into x402_payment
       (network, asset, payer, nonce, pay_to, amount, version, authorization_sent, signature,
        valid_before, operation, input_hash, agent_id, root_id, call_key, origin, job_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
     on conflict do nothing returning id`,
    [
      network,
      asset,
      payment.payer,
      payment.nonce,
      payTo,
      payment.amount,
      payment.version,
      JSON.stringify(payment.authorization),
      payment.signature,
      payment.validBefore,
      call.operation,
      call.inputHash,
      call.agentId,
      call.rootId,
      call.callKey,
      call.origin,
      call.jobId,
    ],
  );
  return inserted?.id;
}

export async function findPayment(
  db: Database,
  { network, asset }: X402Rail,
  { payer, nonce }: Pick<Payment, 'payer' | 'nonce'>,
): Promise<PaymentRow | undefined> {
  const [found] = await rows(
    db,
    PAYMENT,
    `select ${namesOf(PAYMENT)} from x402_payment
      where network = $1 and asset = $2 and payer = $3 and nonce = $4`,
    [network, asset, payer, nonce],
  );
  return found;
}

export async function readPayment(db: Database, id: number): Promise<PaymentRow> {
  const sql = `select ${namesOf(PAYMENT)} from x402_payment where id = $1`;
  const [found] = await rows(db, PAYMENT, sql, [id]);
  if (!found) throw new Error(`there is no payment ${id}`);
  return found;
}

/**
 * The same, locked: of two that found out about it, the second sees what the first made of it.
 * Nobody who holds the lock of a treasury asks for this one.
 */
export async function lockPayment(db: Database, id: number): Promise<PaymentRow> {
  await execute(db, 'select from x402_payment where id = $1 for no key update', [id]);
  return readPayment(db, id);
}

/**
 * Another job settles it now. False: another was quicker. What is settled or lapsed by now is not
 * settled again: the job sees that.
 */
export async function handToJob(
  db: Database,
  { id, job_id }: PaymentRow,
  jobId: string,
): Promise<boolean> {
  const sql = `update x402_payment set job_id = $3
                where id = $1 and job_id = $2`;
  return (await execute(db, sql, [id, job_id, jobId])) === 1;
}

/** Notes why a payment, locked and open, is not settled. */
export async function noteReason(db: Database, id: number, reason: string): Promise<void> {
  await execute(db, 'update x402_payment set reason = $2 where id = $1', [id, reason]);
}

/**
 * Ends a locked payment unpaid. The table refuses that of a settled one. False: a final block has
 * it, in full, so the node that knows nothing of it is behind, and it stays open. One that was
 * there before it was sent with a call pays for nothing all the same.
 */
export async function endLapsed(db: Database, id: number, reason: string): Promise<boolean> {
  const sql = `
    update x402_payment p set status = 'lapsed', lapsed_at = now(), reason = $2
     where id = $1 and ($2 = '${USED_BEFORE}' or not exists (
       select from x402_transfer t
        where (t.network, t.asset, t.pay_to, t.sender, t.nonce, t.amount)
              = (p.network, p.asset, lower(p.pay_to), p.payer, p.nonce, p.amount)))`;
  return (await execute(db, sql, [id, reason])) === 1;
}

/** Ends a locked payment as settled by its deposit. */
export async function endSettled(
  db: Database,
  settled: { id: number; txId: string; depositId: number; block: number },
): Promise<void> {
  const sql = `update x402_payment set status = 'settled', tx_id = $2, deposit_id = $3,
                      block_number = $4, reason = null, settled_at = now(), lapsed_at = null
                where id = $1`;
  const { id, txId, depositId, block } = settled;
  await execute(db, sql, [id, txId, depositId, block]);
}

export const recordedOf = (found: PaymentRow): RecordedPayment => ({
  id: found.id,
  recordedAt: found.created_at,
  version: found.version as 1 | 2,
  payer: found.payer,
  nonce: found.nonce,
  amount: found.amount,
  validBefore: found.valid_before,
  signature: found.signature,
  authorization: found.authorization_sent,
});

/** Whether this is what was recorded, as it was signed and sent. */
export function isSameAsSent(found: PaymentRow, payment: Payment): boolean {
  const signed = ({ version, signature, authorization: sent }: Payment) =>
    [
      version,
      signature,
      sent.from,
      sent.to,
      sent.value,
      sent.validAfter,
      sent.validBefore,
      sent.nonce,
    ]
      .join()
      .toLowerCase();
  return signed(recordedOf(found)) === signed(payment);
}
