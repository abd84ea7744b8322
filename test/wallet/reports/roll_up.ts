import { eventually, type TestPlatform } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { withoutTriggers } from '../../plans/superuser.ts';

/** Sums up all transfers that there are now. */
export async function rollUp(platform: TestPlatform): Promise<void> {
  const [{ newest }] = await platform.query('select max(id) as newest from ledger.transfer');
  await eventually(
    async () => {
      await runTimer(platform, 'roll_up_money');
      const [{ id }] = await platform.query('select id from money_watermark');
      return Number(id);
    },
    (id) => id >= Number(newest),
  );
}

/**
 * Moves orders of the trees of these roots to so many days earlier. Everything that was summed
 * up of anybody will be summed up again.
 */
export const shiftMoney = (platform: TestPlatform, rootIds: number[], days: number) =>
  withoutTriggers(
    platform,
    `begin;
     update money_watermark set id = 0, next_id = 0, next_tx = '0', drawn = 0;
     delete from daily_money; delete from account_sum;
     alter table ledger.transfer disable trigger append_only;
     update ledger.transfer set created_at = created_at - interval '${days} days'
      where kind like 'order.%' and created_at > now() - interval '12 hours'
        and (from_root in (${rootIds.join()}) or to_root in (${rootIds.join()}));
     alter table ledger.transfer enable always trigger append_only;
     commit`,
  );
