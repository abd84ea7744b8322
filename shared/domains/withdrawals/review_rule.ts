import type { Tx } from '../../kernel/tx.ts';
import { fromUsd, type Micros } from '../../kernel/money.ts';
import { column, row } from '../../platform/rows.ts';

/**
 * Whether an operator has to review a withdrawal of this amount by the caller's tree: the sum of
 * the tree's withdrawals without a review since the last approval would exceed the limit of 24
 * hours or of 30 days. Splitting an amount does not avoid it.
 */
export async function needsReview({ db, config, caller }: Tx, amount: Micros): Promise<boolean> {
  const { reviewAbove, reviewAboveMonth } = config.withdrawals;
  const unseen = await row(
    db,
    { day: column.micros, month: column.micros },
    `select coalesce(sum(amount) filter (where created_at > now() - interval '1 day'), 0)::bigint
              as day,
            coalesce(sum(amount), 0)::bigint as month
       from withdrawal
      where root_id = $1 and status not in ('failed', 'cancelled') and review is null
        and created_at > now() - interval '30 days'
        and id > coalesce((select max(id) from withdrawal
                            where root_id = $1 and review = 'approved'), 0)`,
    [caller.rootId],
  );
  return (
    unseen.day + amount > fromUsd(reviewAbove) || unseen.month + amount > fromUsd(reviewAboveMonth)
  );
}
