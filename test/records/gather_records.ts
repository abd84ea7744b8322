import type { TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { rollUp } from '../wallet/reports/roll_up.ts';

/** Adds all deals that are settled now to the records. */
export async function gatherRecords(platform: TestPlatform): Promise<void> {
  await rollUp(platform);
  await runTimer(platform, 'gather_records');
}
