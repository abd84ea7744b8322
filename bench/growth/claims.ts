import type { DataSource } from 'typeorm';

import { PLATFORM } from '../../shared/kernel/caller.ts';
import { closeContext, openContext } from '../../shared/composition/open_context.ts';
import { newJobId } from '../../shared/jobs/jobs.ts';
import type { Context } from '../../shared/composition/context.ts';
import type { Gateways } from '../../shared/composition/gateways.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { perform } from '../../shared/performing/perform.ts';
import { deliverLaborTask } from '../../shared/domains/labor/deliver_labor_task.ts';
import { postLaborTask } from '../../shared/domains/labor/post_labor_task.ts';
import { takeLaborTask } from '../../shared/domains/labor/take_labor_task.ts';
import { uploadLaborUnits } from '../../shared/domains/labor/upload_labor_units.ts';
import { column, execute, row } from '../../shared/platform/rows.ts';
import { cpuMeter } from '../measure/cpu_meter.ts';
import type { Deployment } from '../setup/deployments.ts';
import { makeBuyers, type Buyer } from '../setup/populate.ts';

/** Agents, each a tree of its own, that work at the same time. */
const WORKERS = 200;
/** Maximum units of a task. */
const UNITS_OF_TASK = 100_000;
/** Units of an upload: as JSONL, a little less than its maximum of characters. */
const UNITS_OF_PART = 4_000;
/** Claims before the measured ones: sessions plan a statement anew for the first five times. */
const CLAIMS_BEFORE = 200;
const REWARD = 0.001;
const ANSWER = 'cat';

/** Labor tasks of one poster, with their workers. */
export interface Labor {
  readonly workers: readonly Buyer[];
  readonly tasks: readonly number[];
}

interface LaborCosts {
  /** PostgreSQL's CPU in µs for a unit that is taken and delivered. */
  readonly cpu: number;
  /** Time of each transaction that takes a unit, from its connection to its commit, in ms. */
  readonly takesMs: readonly number[];
  readonly perSecond: number;
  /** Units given to more workers than their task allows: must be none. */
  readonly over: number;
}

/**
 * Adds this many units, of which half are done. `isGold`: deliveries are paid at once, because the
 * answers are known.
 */
export async function addLabor(
  deployment: Deployment,
  { units, isGold }: { units: number; isGold: boolean },
): Promise<Labor> {
  const owner = await deployment.admin();
  const [poster, ...workers] = await makeBuyers(deployment, owner, WORKERS + 1);
  const context = await openWorker(deployment);
  const tasks: number[] = [];
  for (let done = 0; done < units; done += UNITS_OF_TASK) {
    const count = Math.min(UNITS_OF_TASK, units - done);
    tasks.push(await post(context, poster!, { count, isGold }));
  }
  await closeContext(context);
  await doHalf(owner, { tasks, workers });
  await owner.destroy();
  return { workers, tasks };
}

/** Costs while all workers take and deliver units at once. No program may be running. */
export async function measureClaims(
  deployment: Deployment,
  labor: Labor,
  claims: number,
): Promise<LaborCosts> {
  const context = await openWorker(deployment);
  const takesMs: number[] = [];
  const contexts = { plain: context, timed: timing(context, takesMs) };
  await work(contexts, labor, CLAIMS_BEFORE);
  takesMs.splice(0);
  const { snapshot, perCall } = cpuMeter({ postgres: deployment.pids.postgres });
  const from = performance.now();
  snapshot();
  await work(contexts, labor, claims);
  snapshot();
  const seconds = (performance.now() - from) / 1_000;
  await closeContext(context);
  const owner = await deployment.admin();
  const { over } = await row(
    owner,
    { over: column.int },
    `select count(*)::int as over from (
       select from labor_claim c join labor_task t on t.id = c.task_id
        where t.id = any ($1) and c.status not in ('released', 'expired')
        group by c.unit_id, t.overlap having count(*) > t.overlap) units`,
    [labor.tasks],
  );
  await owner.destroy();
  return { cpu: perCall(claims).postgres!, takesMs, perSecond: claims / seconds, over };
}

/** Its operations have no schema here, so no gateway is asked. */
const openWorker = ({ config }: Deployment) =>
  openContext(config, { process: 'claims', gateways: () => ({}) as Gateways });

/** A context whose transactions that take units add their times to `times`. */
function timing(context: Context, times: number[]): Context {
  const { transactions } = context.limiters;
  const run: typeof transactions.run = (holder, work) =>
    transactions.run(holder, async () => {
      const from = performance.now();
      try {
        return await work();
      } finally {
        times.push(performance.now() - from);
      }
    });
  return { ...context, limiters: { ...context.limiters, transactions: { ...transactions, run } } };
}

async function call(context: Context, op: AnyOperation, { id }: Pick<Buyer, 'id'>, input: object) {
  const now = context.clock.now();
  const caller = { ...PLATFORM, agentId: id, rootId: id };
  const done = await perform(context, op, input, {
    caller,
    key: newJobId(now),
    now,
    requestId: 'bench',
  });
  return done!.body as Readonly<Record<string, number>>;
}

async function post(
  context: Context,
  poster: Buyer,
  { count, isGold }: { count: number; isGold: boolean },
): Promise<number> {
  let upload: object = {};
  for (let after = 0; after < count; after += UNITS_OF_PART) {
    const lines = Array.from({ length: Math.min(UNITS_OF_PART, count - after) }, (_, n) =>
      JSON.stringify({ payload: `p${after + n}`, ...(isGold && { expected: ANSWER }) }),
    );
    const part = { ...upload, jsonl: `${lines.join('\n')}\n` };
    const { upload_id, units } = await call(context, uploadLaborUnits, poster, part);
    upload = { upload_id, after: units };
  }
  const { upload_id } = upload as { upload_id: number };
  const task = { kind: 'labeling', title: 'Cat or dog', instructions: 'Say.', reward: REWARD };
  return (await call(context, postLaborTask, poster, { ...task, upload_id })).task_id!;
}

/** Marks half of the units of each task as done, equally by all workers. */
async function doHalf(owner: DataSource, { tasks, workers }: Labor): Promise<void> {
  const ids = workers.map(({ id }) => id);
  const half = '(select units / 2 from labor_task where id = any ($1) limit 1)';
  await execute(
    owner,
    `insert into labor_claim (task_id, unit_id, agent_id, root_id, status, submission,
                              delivered_at, judged_by, closed_at)
     select task_id, id, worker, worker, 'accepted', '${ANSWER}', now(), 'gold', now()
       from labor_unit cross join lateral (
         select ($2::bigint[])[1 + n % cardinality($2::bigint[])] as worker) by
      where task_id = any ($1) and n <= ${half}`,
    [tasks, ids],
  );
  await execute(owner, `update labor_unit set free = 0 where task_id = any ($1) and n <= ${half}`, [
    tasks,
  ]);
  await execute(
    owner,
    `insert into labor_worker (task_id, root_id, position)
     select task_id, root_id, ${half}
       from unnest($1::bigint[]) task_id cross join unnest($2::bigint[]) root_id`,
    [tasks, ids],
  );
  for (const table of ['labor_unit', 'labor_claim', 'labor_worker', 'labor_escrow']) {
    await execute(owner, `vacuum analyze ${table}`);
  }
  await execute(owner, 'checkpoint');
}

/** Runs all workers at once, until this many units are done. */
async function work(
  { plain, timed }: { plain: Context; timed: Context },
  { workers, tasks }: Labor,
  claims: number,
): Promise<void> {
  let left = claims;
  await Promise.all(
    workers.map(async (worker, n) => {
      for (let turn = n; left > 0; turn += 1) {
        left -= 1;
        const task_id = tasks[turn % tasks.length]!;
        const { claim_id } = await call(timed, takeLaborTask, worker, { task_id });
        const answer = { task_id, claim_id, submission: ANSWER };
        await call(plain, deliverLaborTask, worker, answer);
      }
    }),
  );
}
