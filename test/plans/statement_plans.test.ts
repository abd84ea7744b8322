import { expect } from 'chai';

import { insertTransfers, lockTreasuries, revenue, treasury } from '../../shared/ledger/ledger.ts';
import { statementOf } from '../../shared/ledger/statement.ts';
import { railOf } from '../deposits/paid_in.ts';
import { TestPlatform } from '../harness.ts';
import { rowsRead } from './rows_read.ts';
import { withoutTriggers } from './superuser.ts';

/** Of two agents, by turns. */
const TRANSFERS = 20_000;

describe('a statement, after very many movements', function () {
  this.timeout(60_000);
  let platform: TestPlatform;
  const agents: { id: number }[] = [];
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    const { inTx } = railOf(() => platform);
    agents.push(await platform.agent({ usd: 1 }), await platform.agent({ usd: 1 }));
    await inTx(async (tx) => {
      const ids = agents.map(({ id }) => id);
      await lockTreasuries(tx.db, ids);
      const transfers = Array.from({ length: TRANSFERS }, (_, n) => ({
        kind: 'email.charge' as const,
        ref: 1_000_000 + n,
        from: treasury(ids[n % 2]!),
        to: revenue('email'),
        credit: 0n,
        cash: 1n,
      }));
      await insertTransfers(tx, transfers);
    });
    await withoutTriggers(platform, 'analyze');
  });
  after(() => platform.close());

  it('reads of each page its length from each side, however far it goes on', async () => {
    const [{ id }] = await platform.query(
      'select min(id) + 9000 as id from ledger.transfer where from_id = $1',
      [agents[0]!.id],
    );
    for (const below of [undefined, String(id)]) {
      const read = await rowsRead(platform, ['transfer'], (db) =>
        statementOf(db as never, agents[0]!.id, { limit: 21, below }),
      );
      expect(read).to.be.within(21, 100);
    }
  });
});
