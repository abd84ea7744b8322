import { asOwner } from '../as_owner.ts';
import type { TestPlatform } from '../harness.ts';

/** Moves purchases and spending of the trees of these roots so far to a day earlier. */
export function makeYesterdays(platform: TestPlatform, ...rootIds: number[]): Promise<void> {
  const roots = `any ('{${rootIds.join()}}')`;
  // In two steps: between days that follow each other one row would meet the next.
  const past = (days: string) =>
    `update past_spend set day = day + ${days} where root_id = ${roots};`;
  return asOwner(
    platform,
    `update orders set created_at = created_at - interval '1 day', spent_on = spent_on - 1,
            closed_at = closed_at - interval '1 day' where buyer_root = ${roots};
     update charge set created_at = created_at - interval '1 day', spent_on = spent_on - 1
      where root_id = ${roots};
     ${past('1000')} ${past('-1001')}
     update spend set day = day - 1 where root_id = ${roots}`,
  );
}
