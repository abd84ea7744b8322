import { closeContext, openContext } from '../../shared/composition/open_context.ts';
import { gatherRecords } from '../../shared/domains/records/gather_records.ts';
import { issueReceipts } from '../../shared/domains/receipts/issue_receipts.ts';
import { rollUpMoney } from '../../shared/domains/wallet/reports/roll_up_money.ts';
import { newJobId } from '../../shared/jobs/jobs.ts';
import { PLATFORM } from '../../shared/kernel/caller.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { perform } from '../../shared/performing/perform.ts';
import { column, execute, row, type Database } from '../../shared/platform/rows.ts';
import type { Deployment } from './deployments.ts';

/** The timers that follow the ledger, with the transfer up to which each has come. */
const FOLLOWERS: readonly (readonly [operation: AnyOperation, mark: string])[] = [
  [rollUpMoney, 'select id from money_watermark'],
  [gatherRecords, 'select id from record_watermark'],
  [issueReceipts, 'select deals_to as id from receipt_watermark'],
];

/**
 * Runs them until all transfers are in the sums, records and receipts, as they are on a platform
 * that has run for long: an audit compares only what is below their marks. No program may be
 * running.
 */
export async function bringBooksUpToDate({ admin, config }: Deployment): Promise<void> {
  const owner = await admin();
  // The units of a population are not sealed, which the log would say of each receipt.
  const context = await openContext({ ...config, logLevel: 'silent' }, { process: 'books' });
  const last = await idOf(owner, 'select max(id) as id from ledger.transfer');
  for (const [operation, mark] of FOLLOWERS) {
    while ((await idOf(owner, mark)) < last) {
      const now = context.clock.now();
      const call = { caller: PLATFORM, key: newJobId(now), now, requestId: 'bench' };
      await perform(context, operation, {}, call);
    }
  }
  await closeContext(context);
  await execute(owner, 'vacuum analyze');
  await execute(owner, 'checkpoint');
  await owner.destroy();
}

const idOf = async (db: Database, sql: string) => (await row(db, { id: column.id }, sql)).id;
