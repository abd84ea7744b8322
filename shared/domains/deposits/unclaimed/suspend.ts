import type { Micros } from '../../../kernel/money.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, nullable, oneOf, rows, type Database } from '../../../platform/rows.ts';
import { asset, insertTransfers, unclaimed } from '../../ledger/ledger.ts';
import type { ChainReceipt } from '../chain/await_deposit.ts';
import type { Rate } from '../deposit.ts';

/** A final payment by chain. No agent: nothing says whose it is. */
interface SuspendedReceipt extends Omit<ChainReceipt, 'agentId' | 'rootId' | 'evidence'> {
  readonly agentId?: number;
  readonly rootId?: number;
  readonly evidence: Omit<ChainReceipt['evidence'], 'boundBy'> &
    Partial<Pick<ChainReceipt['evidence'], 'boundBy'>>;
}

/** The value of a payment when it was paid. */
export interface Value {
  readonly usd: Micros;
  readonly rate: Rate;
}

interface Suspension {
  readonly status: 'unclaimed' | 'held';
  /** The reason, as a sentence. */
  readonly why: string;
  /** Undefined: it is not known yet. */
  readonly value: Value | undefined;
  /** Text of the payer in the payment. */
  readonly note?: string | undefined;
}

/** Maximum characters that are kept of a note: one of Algorand has 1 000 bytes. */
const NOTE_CHARS_MAX = 2_000;

/**
 * Records a payment that is credited to nobody yet, and books what it is worth as a liability,
 * once. One that is suspended already gets an agent by this, but loses none. Returns its id if
 * anything was changed, and whether its status is new.
 */
export async function suspend(
  tx: Tx,
  receipt: SuspendedReceipt,
  { status, why, value, note }: Suspension,
): Promise<{ readonly id: number; readonly isNew: boolean } | undefined> {
  const { rail, evidence } = receipt;
  const usd = value && value.usd > 0n ? value.usd : null;
  const [kept] = await rows(tx.db, KEPT, SUSPEND_SQL, [
    rail,
    receipt.network,
    receipt.txId,
    receipt.index,
    status,
    why,
    receipt.asset,
    receipt.amount,
    usd,
    usd === null ? null : value!.rate.price,
    usd === null ? null : value!.rate.source,
    usd === null ? null : value!.rate.at,
    receipt.agentId,
    receipt.rootId,
    evidence.sender,
    evidence.recipient,
    evidence.position,
    evidence.paidAt,
    evidence.boundBy,
    note?.replaceAll('\0', '').slice(0, NOTE_CHARS_MAX),
    value && (usd ?? 0n), // A value of zero is known, and no transfer.
  ]);
  if (!kept) return undefined;
  if (!kept.was_suspended) await receive(tx, { ...kept, rail });
  return { id: kept.id, isNew: kept.before !== status };
}

/**
 * The value and status of a payment that was suspended and is not credited; undefined: none is. A
 * value of zero has no rate.
 */
export async function findSuspended(
  db: Database,
  { network, txId, index }: Pick<ChainReceipt, 'network' | 'txId' | 'index'>,
): Promise<(Value & { readonly status: string }) | undefined> {
  const [found] = await rows(
    db,
    SUSPENDED,
    `select status, coalesce(usd, 0) as usd, coalesce(rate_price, 0)::text as rate_price,
            coalesce(rate_source, '') as rate_source, coalesce(rate_at, created_at) as rate_at
       from deposit
      where (network, tx_id, tx_index) = ($1, $2, $3)
        and status in ('unclaimed', 'held', 'returned') and suspended is not null`,
    [network, txId, index],
  );
  if (!found) return undefined;
  const { status, usd, rate_price: price, rate_source: source, rate_at: at } = found;
  return { status, usd, rate: { price, source, at } };
}

const SUSPENDED = {
  status: column.text,
  usd: column.micros,
  rate_price: column.text,
  rate_source: column.text,
  rate_at: column.time,
};

/** Books the value of a payment as a liability. A value of zero is no transfer. */
export const receive = (
  tx: Tx,
  { id, rail, suspended }: { id: number; rail: ChainReceipt['rail']; suspended: Micros | null },
): Promise<void> =>
  insertTransfers(tx, [
    {
      kind: 'unclaimed.receipt',
      ref: id,
      from: asset(rail),
      to: unclaimed(rail),
      credit: 0n,
      cash: suspended ?? 0n,
    },
  ]);

const KEPT = {
  id: column.id,
  suspended: nullable(column.micros),
  was_suspended: column.boolean,
  before: nullable(oneOf<string>()),
};

/**
 * SQL: the value stays the one of the first time. If another call suspends the same payment
 * meanwhile, `before` does not show it: the ledger refuses the second receipt, and the call is made
 * again.
 */
const SUSPEND_SQL = `
  with before as (
    select status, suspended from deposit
     where (network, tx_id, tx_index) = ($2, $3, $4))
  insert into deposit as known
    (rail, network, tx_id, tx_index, status, waits_for, asset, amount, usd, rate_price,
     rate_source, rate_at, agent_id, root_id, sender, recipient, position, paid_at, bound_by, note,
     suspended)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
          $20, $21)
  on conflict (network, tx_id, tx_index) do update
    set status = excluded.status, waits_for = excluded.waits_for, look_at = null,
        asset = excluded.asset, amount = excluded.amount, agent_id = excluded.agent_id,
        root_id = excluded.root_id, sender = excluded.sender, recipient = excluded.recipient,
        position = excluded.position, paid_at = excluded.paid_at, bound_by = excluded.bound_by,
        note = coalesce(known.note, excluded.note),
        (usd, rate_price, rate_source, rate_at, suspended) = (
          select usd, rate_price, rate_source, rate_at, suspended from (values
          (excluded.usd, excluded.rate_price, excluded.rate_source, excluded.rate_at,
           excluded.suspended, true),
          (known.usd, known.rate_price, known.rate_source, known.rate_at, known.suspended, false))
            as v(usd, rate_price, rate_source, rate_at, suspended, is_first)
          where v.is_first = (known.suspended is null))
   where known.credited_at is null and known.rail = excluded.rail and known.status <> 'returned'
     and (known.suspended is null or excluded.agent_id is not null)
  returning id, suspended, (select status from before) as before,
            exists (select from before where suspended is not null) as was_suspended`;
