// test:all: tables of many rows are filled, to see the plans of statements at size.
import { expect } from 'chai';

import { PARTS } from '../../shared/domains/inbox/parts.ts';
import { countEach, findRanked } from '../../shared/domains/inbox/inbox_rank.ts';
import { TestPlatform } from '../harness.ts';
import { WAITING } from '../inbox/waiting.ts';
import type { Agent } from '../tasks/board.ts';
import { rowsRead } from './rows_read.ts';
import { copyRow, withoutTriggers } from './superuser.ts';

/** Rows of each kind that are not the agent's. */
const OTHERS = 5_000;
/** Rows that may be read for an agent for whom at most one thing waits, whatever others have. */
const FEW = 20;
/** Rows that may be read where very many have deadlines: those of an hour, and those counted. */
const SOME = 3_000;
/** Agents of a tree for whom nothing waits. Of very many a small table is read whole instead. */
const NOBODY = Array.from({ length: 40 }, (_, n) => 5_000_000 + n);
const START = ['-infinity', '-9223372036854775807', -1, 0] as const;

/** The deadlines of copies are a minute apart, so those of an hour are few. */
const LATER = (column: string) => `t.${column} + make_interval(mins => n)`;
const id = (sequence: string) => `nextval('${sequence}')`;
const identity = (table: string) => `nextval(pg_get_serial_sequence('${table}', 'id'))`;

const TASK = {
  id: id('task_id'),
  call_id: 'gen_random_uuid()',
  escrow_id: "-nextval('task_id')",
  due_at: LATER('due_at'),
  review_deadline: LATER('review_deadline'),
  dispute_by: LATER('dispute_by'),
};
const CLAIM = { id: identity('labor_claim'), unit_id: '-n', due_at: LATER('due_at') };
const APPROVAL = {
  id: identity('approval'),
  job_id: 'gen_random_uuid()',
  input_hash: 'sha256(n::text::bytea)',
};
const ORDER = {
  id: id('order_id'),
  job_id: 'gen_random_uuid()',
  escrow_id: "-nextval('order_id')",
  release_at: LATER('release_at'),
};

const DENIED = { order_id: id('order_id'), access_by: LATER('access_by') };

/** Agents of one tree. */
const SUSPENDED = {
  id: '1000000 + n',
  username: `'suspended-' || n`,
  lineage: 'array[t.root_id, 1000000 + n]',
  reference: 'gen_random_uuid()',
};

/** The table in which there may be many, by kind, and what differs in a copy of a row. */
const MANY: Readonly<Record<string, readonly [table: string, changes: Record<string, string>]>> = {
  order_to_confirm: ['orders', ORDER],
  goods_to_dispute: ['goods_verdict', { order_id: id('order_id'), root_id: '-n' }],
  dispute_to_answer: ['orders', ORDER],
  access_to_repair: ['order_access', DENIED],
  access_to_await: ['order_access', DENIED],
  bids_to_judge: ['task', TASK],
  work_to_judge: ['task', TASK],
  work_to_submit: ['task', TASK],
  rejection_to_dispute: ['task', TASK],
  claim_to_deliver: ['labor_claim', CLAIM],
  claim_to_appeal: ['labor_claim', CLAIM],
  deliveries_to_judge: ['labor_claim', CLAIM],
  appeals_to_judge: ['labor_claim', CLAIM],
  message_to_answer: ['message', { id: id('message_id') }],
  approval_to_decide: ['approval', APPROVAL],
  agent_to_resume: ['agent', SUSPENDED],
  limit_to_raise: ['spend_alert', { agent_id: '-n', root_id: '-n' }],
  recharge_to_renew: ['auto_recharge', { root_id: '-n' }],
  low_balance: ['spend', { agent_id: '-n', root_id: '-n' }],
};

/** Kinds of small rows, which are read all rather than by an index. */
const SMALL = ['approval_to_decide', 'access_to_repair', 'access_to_await'];

const TABLES = Object.values(MANY).map(([table]) => table);

describe('the inbox, whatever others have', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  const agents: Record<string, Agent> = {};
  const busy: Record<string, Agent> = {};

  before(async () => {
    platform = await TestPlatform.open();
    for (const [kind, [table, changes]] of Object.entries(MANY)) {
      agents[kind] = await WAITING[kind]!(platform);
      busy[kind] = await WAITING[kind]!(platform); // Its rows are copied.
      const key =
        {
          spend: 'agent_id',
          spend_alert: 'agent_id',
          auto_recharge: 'root_id',
          order_access: 'order_id',
          goods_verdict: 'order_id',
        }[table] ?? 'id';
      const where = `t.${key} = (select max(${key}) from ${table})`;
      await copyRow(platform, table, { where, count: OTHERS, changes });
    }
    await withoutTriggers(platform, 'analyze');
  });
  after(() => platform.close());

  for (const [n, { kind, hasDeadline, above }] of PARTS.entries()) {
    const readFor = ({ id: agentId }: Agent) =>
      rowsRead(platform, TABLES, async (db) => {
        const asked = { agentId, rootId: agentId };
        await findRanked(db, [PARTS[n]!], asked, { after: START, limit: 21 });
        await countEach(db, [PARTS[n]!], asked);
      });

    it(`reads of ${kind} what is the agent's`, async () => {
      expect(await readFor(agents[kind]!)).to.be.within(1, FEW);
    });

    it(`reads of very many of ${kind} a part, or each once`, async () => {
      const isBounded = hasDeadline && !SMALL.includes(kind);
      expect(await readFor(busy[kind]!)).to.be.within(1, isBounded ? SOME : 3 * OTHERS);
    });

    if (!above) continue;
    it(`reads of ${kind} what is of the agents below, and no more`, async () => {
      const { id: agentId } = agents.message_to_answer!;
      const below = [...Object.values(agents).map(({ id: one }) => one), ...NOBODY];
      const read = await rowsRead(platform, TABLES, async (db) => {
        const asked = { agentId, rootId: agentId, below };
        await findRanked(db, [PARTS[n]!], asked, { after: START, limit: 21 });
        await countEach(db, [PARTS[n]!], asked);
      });
      expect(read).to.be.within(1, 2 * FEW);
    });
  }
});
