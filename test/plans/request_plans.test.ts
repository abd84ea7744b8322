// test:all: tables of many rows are filled, to see the plans of statements at size.
import { expect } from 'chai';

import type { Tx } from '../../shared/kernel/tx.ts';
import { listRequests } from '../../shared/domains/requests/list_requests.ts';
import { requestCosts } from '../../shared/domains/requests/request_costs.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { rowsRead } from './rows_read.ts';
import { withoutTriggers } from './superuser.ts';

/** Half of them of one tree, evenly over seven days. */
const ROWS = 100_000;
const AGENTS = 200;
const LIMIT = 10;
/** A page and one more, with a look into each partition. */
const PAGE = 2 * (LIMIT + 1) + 6;
/** Filters by operation; nobody called the last one. */
const NAMES = ['operation_7', 'no_such_operation'];
const TABLES = Array.from({ length: 6 }, (_, n) => `request_${n}`);

describe('the log of requests, after very many', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let root: { id: number };
  let child: { id: number };
  let other: { id: number };

  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    root = await platform.agent();
    child = await childOf(platform, root);
    other = await platform.agent();
    await withoutTriggers(
      platform,
      `insert into agent (id, username, owner_id, root_id, lineage)
       select id, 'kid' || id, ${root.id}, ${root.id}, array[${root.id}, ${child.id}, id]
         from (select nextval('agent_id') as id from generate_series(1, ${AGENTS})) n;
       insert into request (slot, root_id, agent_id, at, interface, operation, status, ms, calls)
       select floor(extract(epoch from at) / 172800)::bigint % 6,
              case when n % 2 = 0 then ${root.id} else n % 1000 + 100000 end,
              case when n % 2 = 0
                   then (select min(id) from agent where username like 'kid%') + n / 2 % ${AGENTS}
                   else n % 1000 + 100000 end,
              at, 'rest', 'operation_' || n % 50,
              case when n % 5000 = 0 then 404 else 200 end, 3, 1
         from generate_series(1, ${ROWS}) n,
              lateral (select now() - (${ROWS} - n) * interval '167 hours' / ${ROWS}) as t(at);
       analyze`,
    );
  });
  after(() => platform.close());

  const read = (
    operation: { handle: (tx: Tx, input: never, facts: never) => Promise<unknown> },
    input: object = {},
    who = root,
  ) =>
    rowsRead(
      platform,
      TABLES,
      (db) => {
        const rootId = who === other ? other.id : root.id;
        const caller = { agentId: who.id, rootId };
        const { config, context } = platform;
        const operations = new Map(NAMES.map((name) => [name, context.operations.get('inbox')]));
        const tx = { db, caller, now: new Date(), config, operations } as unknown as Tx;
        return operation.handle(tx, input as never, undefined as never);
      },
      { answers: true },
    );
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const deep = Buffer.from(`${Date.parse(ago(100))}.1`).toString('base64url');

  it('reads a page of a tree by each filter, however far it goes on', async () => {
    for (const input of [
      {},
      { status: 'error' },
      { status: '5xx', since: ago(1) },
      { operation: 'operation_7' },
      { operation: 'no_such_operation' },
      { since: ago(2) },
      { cursor: deep },
      { cursor: deep, status: 'error' },
    ]) {
      const found = await read(listRequests, { limit: LIMIT, ...input });
      expect(found, JSON.stringify(input)).to.be.at.most(PAGE);
    }
  });

  it('reads of the agents below one of each, and a few pages', async () => {
    const [{ id }] = await platform.query(`select max(id) as id from agent`);
    for (const input of [{}, { status: 'error' }, { cursor: deep }]) {
      const alone = await read(listRequests, { limit: LIMIT, ...input }, { id: Number(id) });
      expect(alone, JSON.stringify(input)).to.be.at.most(2 * PAGE);
      const all = await read(listRequests, { limit: LIMIT, ...input }, child);
      expect(all, JSON.stringify(input)).to.be.at.most((AGENTS + LIMIT) * PAGE);
    }
  });

  it('reads nothing of others for a tree that has none', async () => {
    expect(await read(listRequests, { limit: LIMIT }, other)).to.equal(0);
    expect(await read(requestCosts, {}, other)).to.equal(0);
  });

  it('reads for costs no more than the partitions of the time that is asked for', async () => {
    const aDay = ROWS / 7;
    expect(await read(requestCosts)).to.be.within(0.4 * aDay, 4 * aDay);
  });
});
