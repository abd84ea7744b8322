// test:all: tables of many rows are filled, to see the plans of statements at size.
import { expect } from 'chai';

import {
  insertTransfers,
  lockTreasuries,
  revenue,
  treasury,
} from '../../shared/domains/ledger/ledger.ts';
import type { Tx } from '../../shared/kernel/tx.ts';
import { balanceBefore, statementOf } from '../../shared/domains/ledger/statement.ts';
import { walletStatement } from '../../shared/domains/wallet/wallet_statement.ts';
import { railOf } from '../deposits/paid_in.ts';
import { TestPlatform } from '../harness.ts';
import { rowsRead } from './rows_read.ts';
import { withoutTriggers } from './superuser.ts';

/** Transfers of two agents, by turns. */
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

  /** Statements of one page, whatever is looked for. */
  const readFor = (input: object) =>
    rowsRead(
      platform,
      ['transfer', 'past_balance'],
      (db) => {
        const caller = { agentId: agents[0]!.id, rootId: agents[0]!.id };
        const tx = { db, caller, now: new Date() } as unknown as Tx;
        return walletStatement.handle(tx, { limit: 20, ...input } as never, undefined);
      },
      { answers: true },
    );

  it('reads for a filter what it looks through', async () => {
    expect(await readFor({ kind: 'email.*' })).to.be.within(21, 100);
    expect(await readFor({ from: '2020-01-01T00:00:00Z' })).to.be.within(21, 100);
    expect(await readFor({ kind: 'deposit' })).to.be.within(2_000, 6_000);
    expect(await readFor({ to: '2020-01-01T00:00:00Z' })).to.be.at.most(100);
  });

  it('reads little of what it held long ago, however much has moved since', async () => {
    const before = async (id: number) => {
      const read = (db: unknown) => balanceBefore(db as never, agents[0]!.id, String(id));
      const rows = await rowsRead(platform, ['transfer', 'past_balance'], read, { answers: true });
      return { rows, held: await read(platform) };
    };
    const [{ first }] = await platform.query(
      `select min(id)::int as first from ledger.transfer where kind = 'email.charge'`,
    );
    const ids = [1_000, 10_000, 19_000].map((n) => first + n);
    const unkept = await Promise.all(ids.map(before));
    await platform.query('select keep_past_balances(0, $1)', [first + TRANSFERS]);
    for (const [n, id] of ids.entries()) {
      const { rows, held } = await before(id);
      // One in 64 of its transfers is kept, on average; none of 700 is, once in 10^5 runs.
      expect(rows, `below ${id}`).to.be.within(1, 700);
      expect(rows).to.be.below(unkept[n]!.rows + 2);
      expect(held).to.equal(unkept[n]!.held);
    }
  });
});
