import assert from 'node:assert';
import type { EntityManager } from 'typeorm';

import { creditFirst, insertTransfers, lockTreasuries, type MoneyTx } from '../ledger/ledger.ts';
import { revenue, sumOf, treasury, type Funds } from '../ledger/ledger.ts';
import type { Micros } from '../../kernel/money.ts';
import { column, execute, oneOf, row, rows } from '../../platform/rows.ts';
import type { Service } from './charge.ts';
import { refundSpend } from './spend.ts';

/**
 * Refunds part of a charge for proxies or email validations, or all of one for a token, once for
 * each `cause` (e.g. `proxy:17`), and never more than is left of the charge. The platform keeps
 * credit before cash, as with orders, so each sort of funds goes back where it came from. On the
 * day of the charge the agent's limits are restored too. Returns the amount: 0 for a cause that was
 * refunded before. Locks the tree first.
 */
export async function refundCharge(
  tx: MoneyTx,
  { chargeId, cause, amount }: { chargeId: number | string; cause: string; amount: Micros },
): Promise<Micros> {
  const { db } = tx;
  const rootId = await lockPayer(db, chargeId);
  const charged = await lockCharge(db, chargeId);
  const { service } = charged;
  const isDoubted = cause.startsWith('reply:');
  assert(service !== 'email' || isDoubted, 'an answer about an email is given back if in doubt');
  const kept = {
    credit: charged.credit - charged.refunded_credit,
    cash: charged.cash - charged.refunded_cash,
  };
  const back = cashFirst(amount, kept);
  if (sumOf(back) === 0n) return 0n;
  const [refund] = await rows(
    db,
    { id: column.id },
    `insert into charge_refund (charge_id, cause, credit, cash) values ($1, $2, $3, $4)
     on conflict (charge_id, cause) do nothing returning id`,
    [chargeId, cause, back.credit, back.cash],
  );
  if (!refund) return 0n;
  await execute(
    db,
    `update charge set refunded_credit = refunded_credit + $2, refunded_cash = refunded_cash + $3
      where id = $1`,
    [chargeId, back.credit, back.cash],
  );
  const [from, to] = [revenue(service), treasury(rootId)];
  await insertTransfers(tx, [{ kind: `${service}.refund`, ref: refund.id, from, to, ...back }]);
  const { agent_id: agentId, spent_on: day } = charged;
  await refundSpend(db, { agentId, day, amount: sumOf(back) });
  return sumOf(back);
}

/** Locks the tree that paid a charge, and returns its root. */
async function lockPayer(db: EntityManager, chargeId: number | string): Promise<number> {
  const { root_id: rootId } = await row(
    db,
    { root_id: column.id },
    'select root_id from charge where id = $1',
    [chargeId],
  );
  await lockTreasuries(db, [rootId]);
  return rootId;
}

const lockCharge = (db: EntityManager, chargeId: number | string) =>
  row(
    db,
    {
      agent_id: column.id,
      service: oneOf<Service>(),
      credit: column.micros,
      cash: column.micros,
      refunded_credit: column.micros,
      refunded_cash: column.micros,
      spent_on: column.text,
    },
    `select agent_id, service, credit, cash, refunded_credit, refunded_cash, spent_on::text
       from charge where id = $1 for update`,
    [chargeId],
  );

/** The funds of a refund: cash first, because the platform keeps credit first. */
function cashFirst(amount: Micros, kept: Funds): Funds {
  const back = amount < sumOf(kept) ? amount : sumOf(kept);
  const stays = creditFirst(sumOf(kept) - back, kept);
  return { credit: kept.credit - stays.credit, cash: kept.cash - stays.cash };
}
