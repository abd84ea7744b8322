import { expect } from 'chai';
import type { DataSource } from 'typeorm';

import { audit, PROOFS } from '../../shared/composition/audit.ts';
import { databaseOf } from '../../shared/platform/database.ts';
import type { TestPlatform } from '../harness.ts';
import { CONNECTION_SABOTAGES } from '../connections/connection_sabotages.ts';
import { openAuditScene, type AuditScene } from '../ledger/audit_scene.ts';
import { SABOTAGES as OF_OTHERS } from './sabotages.ts';

const GUARDED = [
  'ledger.transfer',
  'ledger.treasury',
  'orders',
  'task',
  'bid',
  'message',
  'product',
  'stock',
  'job',
  'event',
  'approval',
  'dataset_part',
  'labor_task',
  'labor_escrow',
  'labor_unit',
  'labor_claim',
  'agent',
  'deposit',
  'x402_payment',
];

const SABOTAGES = [...OF_OTHERS, ...CONNECTION_SABOTAGES];

/** SQL: the names of the proofs that do not hold. */
const UNTRUE = PROOFS.map(
  ({ name, sql }) => `select '${name}' as name where exists (select from (${sql}) difference)`,
).join(' union all ');

const NO_RECEIPTS = `
  delete from receipt_day; delete from receipt; delete from receipt_head;
  update receipt_watermark set deals_to = 0, charges_to = 0, last_id = 0`;

const NO_RECORDS = `
  delete from record_pair; delete from agent_record; delete from record_debt;
  update record_watermark set id = 0`;

describe('the audit', () => {
  let platform: TestPlatform;
  let owner: DataSource;
  let ids: AuditScene['ids'];

  before(async () => {
    ({ platform, ids } = await openAuditScene());
    owner = await databaseOf(platform.config.migrationDatabaseUrl, 1).initialize();
    for (const table of GUARDED) await owner.query(`alter table ${table} disable trigger user`);
    // Planned once, for two hundred sabotages: to plan the proofs takes longer than to run them.
    await owner.query(`prepare untrue as ${UNTRUE}`);
  });

  after(async () => {
    await owner.destroy();
    await platform.close();
  });

  /**
   * The proofs that this makes untrue, in a transaction that is rolled back. Only someone who owns
   * the tables and has switched their triggers off can do that.
   */
  async function untrueAfter(sql: string): Promise<string[]> {
    const runner = owner.createQueryRunner();
    try {
      await runner.query('start transaction');
      // A sabotage of transfers is not also one of what is noted of them.
      if (!sql.includes('card_proceeds')) await runner.query('delete from card_proceeds');
      // Nor one of what is signed of them.
      if (!sql.includes('receipt')) await runner.query(NO_RECEIPTS);
      // Nor one of reviews of their orders.
      if (!sql.includes('review set') && !sql.includes('review_version')) {
        await runner.query('delete from review_version; delete from review');
      }
      // Nor one of what records count of them.
      if (!/record_pair|agent_record/.test(sql)) await runner.query(NO_RECORDS);
      await runner.query(sql.replace(/(?<!:):([a-z_]+)/g, (_, name: string) => String(ids[name])));
      const untrue: { name: string }[] = await runner.query('execute untrue');
      return untrue.map(({ name }) => name);
    } finally {
      await runner.query('rollback');
      await runner.release();
    }
  }

  it('has a sabotage here for every proof, and for nothing else', () => {
    const names = PROOFS.map(({ name }) => name);
    expect([...new Set(SABOTAGES.map(({ proof }) => proof))]).to.have.members(names);
  });

  it('finds nothing when all is right', async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    expect(await untrueAfter('select')).to.deep.equal([]);
  });

  for (const { proof, what, sql, also = [] } of SABOTAGES) {
    it(`finds out that it is not true that ${proof}: ${what}`, async () => {
      expect(await untrueAfter(sql)).to.have.members([proof, ...also]);
    });
  }

  it('names the proof and the row that is wrong, once it is committed', async () => {
    await owner.query('update ledger.treasury set cash = cash + 1 where id = $1', [ids.buyer]);
    const [difference, ...others] = await audit(platform.context.database);
    expect(others).to.deep.equal([]);
    expect(difference?.proof).to.equal('each treasury holds what its transfers say');
    expect(difference?.row).to.include({ treasury: ids.buyer });
  });
});
