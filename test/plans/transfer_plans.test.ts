// test:all: a table of many rows is filled, to see the plans of statements at size.
import { expect } from 'chai';

import {
  insertTransfers,
  lockTreasuries,
  revenue,
  treasury,
} from '../../shared/domains/ledger/ledger.ts';
import { railOf } from '../deposits/paid_in.ts';
import { TestPlatform } from '../harness.ts';
import { withoutTriggers } from './superuser.ts';

const TREASURIES = 20_000;
/** Transfers of a full batch. */
const BATCH = 64;

describe('a batch of transfers, beside very many treasuries', function () {
  this.timeout(60_000);
  let platform: TestPlatform;
  const ids: number[] = [];
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    for (let n = 0; n < BATCH; n += 1) ids.push((await platform.agent({ usd: 1 })).id);
    await withoutTriggers(
      platform,
      `insert into ledger.treasury (id) select 1000000 + n from generate_series(1, ${TREASURIES}) n;
       analyze`,
    );
  });
  after(() => platform.close());

  it('reads its own treasuries alone', async () => {
    const { inTx } = railOf(() => platform);
    const read = await inTx(async (tx) => {
      await lockTreasuries(tx.db, ids);
      const transfers = ids.map((id, n) => ({
        kind: 'email.charge' as const,
        ref: 1_000_000 + n,
        from: treasury(id),
        to: revenue('email'),
        credit: 0n,
        cash: 1n,
      }));
      await insertTransfers(tx, transfers);
      const [{ rows }] = await tx.db.query(
        `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
           from pg_stat_xact_user_tables where schemaname = 'ledger' and relname = 'treasury'`,
      );
      return rows;
    });
    // At most each of the batch for each transfer, where the planner takes a nested loop.
    expect(read).to.be.within(BATCH, BATCH * BATCH);
  });
});
