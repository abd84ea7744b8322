// test:all: a database of many agents and orders is filled, to see the plans of statements at size.
import { expect } from 'chai';

import { audit, PROOFS } from '../../shared/composition/audit.ts';
import type { TestPlatform } from '../harness.ts';
import { openAuditScene } from '../ledger/audit_scene.ts';
import { addCopies } from './database_copies.ts';
import { asOwner } from '../as_owner.ts';
import { issueAt } from '../receipts/close_today.ts';
import { workOf } from './plan_work.ts';

const COPIES = 300;
/**
 * Maximum rows that the nodes of a plan handle for each row of its tables. The trial balance needs
 * 11, with four changes for each transfer; a table read again for each row of another is above 150.
 */
const TIMES = 25;

describe('an audit of a large platform', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  const sizes = new Map<string, number>();
  before(async () => {
    ({ platform } = await openAuditScene());
    await addCopies(platform, COPIES);
    await issueAll(platform);
    const counted: { table: string; rows: number }[] = await platform.query(
      `select relname as table, reltuples::int as rows from pg_class where relkind = 'r'`,
    );
    for (const { table, rows } of counted) sizes.set(table, rows);
  });
  after(() => platform.close());

  it('finds nothing when all is right', async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  for (const { name, sql } of PROOFS) {
    it(`reads each table a few times at most for this: ${name}`, async () => {
      const { rows, tables } = await workOf(platform, sql);
      const size = [...tables].reduce((sum, table) => sum + (sizes.get(table) ?? 0), 0);
      console.log((rows / (size + 100)).toFixed(1), rows, size, [...tables].join());
      expect(rows).to.be.at.most(TIMES * (size + 100));
    });
  }
});

/** Receipts are signed, and so cannot be copied: they are issued for the copies. */
async function issueAll(platform: TestPlatform): Promise<void> {
  await asOwner(
    platform,
    `delete from receipt_day; delete from receipt; delete from receipt_head;
     update receipt_watermark set deals_to = 0, charges_to = 0, last_id = 0,
                                  charged_at = now() - interval '1 day', open_day = current_date;
     update record_watermark set id = (select max(id) from ledger.transfer);
     update money_watermark set id = (select max(id) from ledger.transfer)`,
  );
  const isRest = async () => {
    const [{ rest }] = await platform.query(
      'select deals_to < m.id as rest from receipt_watermark cross join money_watermark m',
    );
    return rest as boolean;
  };
  while (await isRest()) await issueAt(platform, platform.context.clock.now().getTime());
  await asOwner(platform, 'update money_watermark set id = 0; analyze');
}
