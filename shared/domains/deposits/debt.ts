import { emit } from '../events/events.ts';
import { balanceOf, insertTransfers, receivable, treasury } from '../ledger/ledger.ts';
import { toUsd } from '../../kernel/money.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, row } from '../../platform/rows.ts';

/** Pays the debt of a tree from its cash. The tree is locked. */
export async function payDebt(tx: Tx, rootId: number): Promise<void> {
  const { owed, cash } = await balanceOf(tx.db, rootId);
  const amount = owed < cash ? owed : cash;
  if (amount === 0n) return;
  const { id } = await row(
    tx.db,
    { id: column.id },
    'insert into owed_payment (root_id, amount) values ($1, $2) returning id',
    [rootId, amount],
  );
  await insertTransfers(tx, [
    {
      kind: 'owed.payment',
      ref: id,
      from: treasury(rootId),
      to: receivable(rootId),
      credit: 0n,
      cash: amount,
    },
  ]);
  const status = owed === amount ? 'paid' : 'paid_in_part';
  const data = { amount: toUsd(amount), owed: toUsd(owed - amount) };
  const object = { kind: 'owed_payment' as const, id, status };
  await emit(tx.db, [{ agentId: rootId, type: 'wallet.owed_paid', object, data }]);
}
