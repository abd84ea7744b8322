import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Output, Type } from '../../kernel/schema.ts';
import { field, view } from '../../kernel/view.ts';
import { column, execute, row, rows, type Database } from '../../platform/rows.ts';

const BLOCKS_MAX = 1_000;

const BLOCK = view('LaborBlock', {
  agent_id: field.id('Agent that was named.'),
  username: field.name('Its name.'),
  blocked_at: field.time('Time of the block.'),
});

export const blockLaborWorker = operation({
  name: 'block_labor_worker',
  title: 'Block a worker of labor',
  summary:
    'Takes no more units of labor from the tree of an agent that has taken units of yours: it ' +
    'delivers and is judged for what it holds, and gets no other. blocked false lifts that. ' +
    'Answers all blocks of your tree. Free.',
  phrasings: `
    block a bad labeler; ban this worker from my HITs; no more units for this annotator; keep a
    spammer out of my labeling; list the workers I have blocked; unblock a labeler; exclude a
    worker from my labor tasks; this worker labels nonsense, keep him out; stop giving units to
    a worker; let a blocked labeler work for me again; who is on my block list; remove a worker
    from my block list; ban an annotator; reject all future work of a labeler`,
  access: 'sell',
  mode: 'write',
  rest: 'POST /api/v1/labor/blocks',
  effects: { idempotent: true },
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    agent_id: Id('A worker of yours. From labor_claims.'),
    blocked: Type.Optional(
      Type.Boolean({ description: 'false: lifts the block. true if absent.' }),
    ),
  }),
  defaults: { blocked: true },
  output: Output('LaborBlocks', {
    blocks: Type.Array(BLOCK.schema, { maxItems: BLOCKS_MAX, description: 'Newest first.' }),
  }),

  async handle({ db, caller }, { agent_id, blocked = true }) {
    const rootId = await workerTree(db, { agentId: agent_id, posterRoot: caller.rootId });
    if (rootId === undefined) {
      throw new Refusal('not_found', `No agent ${agent_id} has taken a unit of yours.`);
    }
    if (!blocked) {
      const sql = 'delete from labor_block where poster_root = $1 and root_id = $2';
      await execute(db, sql, [caller.rootId, rootId]);
    } else {
      const { count } = await row(
        db,
        { count: column.int },
        'select count(*)::int as count from labor_block where poster_root = $1',
        [caller.rootId],
      );
      if (count >= BLOCKS_MAX) {
        throw new Refusal('invalid_transition', `Your tree blocks ${count} workers; lift some.`);
      }
      await execute(
        db,
        `insert into labor_block (poster_root, root_id, agent_id) values ($1, $2, $3)
         on conflict do nothing`,
        [caller.rootId, rootId, agent_id],
      );
    }
    const blocks = await rows(
      db,
      BLOCK.columns,
      `select b.agent_id, a.username, b.created_at as blocked_at
         from labor_block b join agent a on a.id = b.agent_id
        where b.poster_root = $1 order by b.created_at desc, b.root_id desc`,
      [caller.rootId],
    );
    return { blocks: blocks.map(BLOCK.show) };
  },
});

/** The tree of an agent that has taken a unit of a tree's tasks; undefined: there is none. */
async function workerTree(
  db: Database,
  { agentId, posterRoot }: { agentId: number; posterRoot: number },
): Promise<number | undefined> {
  const [found] = await rows(
    db,
    { root_id: column.id },
    `select c.root_id from labor_claim c join labor_task t on t.id = c.task_id
      where c.agent_id = $1 and t.poster_root = $2 limit 1`,
    [agentId, posterRoot],
  );
  return found?.root_id;
}
