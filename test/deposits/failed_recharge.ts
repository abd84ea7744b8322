import type { TestPlatform } from '../harness.ts';

/** Auto-recharge of a root that three failed charges have turned off. */
export const failRecharges = (platform: TestPlatform, { id }: { id: number }) =>
  platform.query(
    `insert into auto_recharge (root_id, enabled, threshold, amount, monthly_limit, off_because)
     values ($1, false, 1000000, 5000000, 50000000, 'failures')`,
    [id],
  );
