import { asset, insertTransfers, receivable, treasury } from '../ledger/ledger.ts';
import type { Funds, Transfer } from '../ledger/ledger.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { toUsd, type Micros } from '../../kernel/money.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, row } from '../../platform/rows.ts';
import { notifyOf } from './credit.ts';
import { DEPOSIT, DEPOSIT_SQL, type Deposit } from './deposit.ts';
import { payDebt } from './debt.ts';

/**
 * Sets the total reversed of a credited deposit, by refunds and chargebacks, in micro-dollars. An
 * amount missing in the treasury becomes a debt. A lower total than before returns the difference
 * to the tree. Locks the tree, so call it before anything else is locked.
 */
export async function setReversed(
  tx: Tx,
  { id, root_id: rootId, rail }: Deposit,
  reversed: Micros,
): Promise<void> {
  const holds = (await lockTreasuries(tx.db, [rootId])).get(rootId)!;
  const before = await row(
    tx.db,
    { reversed: column.micros },
    'select reversed from deposit where id = $1 for no key update',
    [id],
  );
  const amount = reversed - before.reversed;
  if (amount === 0n) return;
  const taken = amount < 0n ? 0n : amount < holds.cash ? amount : holds.cash;
  const owed = amount < 0n ? 0n : amount - taken;
  const { ref } = await row(
    tx.db,
    { ref: column.id },
    `insert into deposit_reversal (deposit_id, amount, taken, owed) values ($1, $2, $3, $4)
     returning id as ref`,
    [id, amount, taken, owed],
  );
  const deposit = await row(
    tx.db,
    DEPOSIT,
    `update deposit set reversed = $2,
            status = case when usd = $2 then 'reversed' else 'credited' end
      where id = $1 returning ${DEPOSIT_SQL}`,
    [id, reversed],
  );
  const cash = (micros: Micros): Funds => ({ credit: 0n, cash: micros });
  const transfers: Transfer[] = [
    {
      kind: 'deposit.reversal',
      ref,
      from: treasury(rootId),
      to: asset(rail),
      ...cash(taken),
    },
    { kind: 'deposit.owed', ref, from: receivable(rootId), to: asset(rail), ...cash(owed) },
    {
      kind: 'deposit.restoration',
      ref,
      from: asset(rail),
      to: treasury(rootId),
      ...cash(amount < 0n ? -amount : 0n),
    },
  ];
  await insertTransfers(tx, transfers); // Skips transfers of zero.
  if (amount > 0n) await notifyOf(tx, deposit, 'deposit.reversed', { amount: toUsd(amount) });
  else await notifyOf(tx, deposit, 'deposit.restored', { amount: toUsd(-amount) });
  await payDebt(tx, rootId);
}
