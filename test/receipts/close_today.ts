import { newJobId } from '../../shared/jobs/jobs.ts';
import { PLATFORM } from '../../shared/kernel/caller.ts';
import { issueReceipts } from '../../shared/domains/receipts/issue_receipts.ts';
import { inTransaction } from '../../shared/performing/transaction.ts';
import type { TestPlatform } from '../harness.ts';

const DAY_MS = 86_400_000;

/** Performs the timer that issues receipts, as a machine does whose clock says this. */
export function issueAt({ context }: TestPlatform, ms: number): Promise<unknown> {
  const now = new Date(ms);
  const call = { caller: PLATFORM, now, key: newJobId(context.clock.now()), requestId: 'test' };
  return inTransaction(context, call, (tx) => issueReceipts.handle(tx, {}, undefined));
}

/** The first time of tomorrow comes: today's receipts are closed. */
export async function closeToday(platform: TestPlatform): Promise<void> {
  const today = Math.floor(platform.context.clock.now().getTime() / DAY_MS) * DAY_MS;
  await issueAt(platform, today + DAY_MS);
}
