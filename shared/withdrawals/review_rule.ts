import type { Tx } from '../kernel/operation.ts';
import { fromUsd, type Micros } from '../ledger/money.ts';
import { column, row } from '../platform/rows.ts';

/**
 * Whether an operator has to look at a withdrawal of this amount by the caller's tree: what the
 * tree has withdrawn without one, and since one has last approved, would be more than is allowed in
 * 24 hours or in 30 days. In parts it is no less.
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
