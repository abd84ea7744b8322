import { catalog } from '../shared/catalog.ts';
import { crashPoint } from '../shared/crash_point.ts';
import { transact } from '../shared/database.ts';
import { completed, refused, seal, type Answered } from '../shared/jobs/jobs.ts';
import type { AnyOperation } from '../shared/operation.ts';
import { Refusal } from '../shared/refusal.ts';
import type { World } from '../shared/world.ts';
import { answersOf, rowOf, runJob } from './run_job.ts';

/** How many of a flight's leftovers are handled at a time. */
const SINGLES_AT_ONCE = 4;

/**
 * Performs the jobs that travel together: in few statements where their operation can do that, and
 * one by one whatever that left out, with the answers of all that are finished now.
 */
export async function runFlight(
  world: World,
  operation: string,
  ids: readonly string[],
  again?: number,
): Promise<Answered[]> {
  const op = catalog.get(operation);
  const together = op?.handleMany && again === undefined ? await fly(world, op, ids) : [];

  const done = new Set(together.map(({ id }) => id));
  const left = ids.filter((id) => !done.has(id));
  const alone: (Answered | null)[] = [];
  await Promise.all(
    Array.from({ length: SINGLES_AT_ONCE }, async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        alone.push(await runJob(world, id, again));
      }
    }),
  );
  const answers = [...together, ...alone.filter((answer) => answer !== null)];
  if (answers.length === ids.length) return answers;
  // The others were finished before, or wait for another try: whoever waits is told what there is.
  const known = new Set(answers.map(({ id }) => id));
  return [
    ...answers,
    ...(await answersOf(
      world,
      ids.filter((id) => !known.has(id)),
    )),
  ];
}

async function fly(
  world: World,
  op: AnyOperation,
  ids: readonly string[],
): Promise<readonly Answered[]> {
  const alone = ids.length === 1;
  if (alone) crashPoint('W0', ids);
  try {
    const answers = await transact(world.database, async (db) => {
      // Rows that are finished or in other hands are not ours: a flight delivered twice must not
      // act twice.
      const found = await db.query(
        `select job.id, operation, agent_id, input, request_id, root_id
           from job left join agent on agent.id = job.agent_id
          where job.id = any ($1) and job.status = 'pending'
          order by job.id for update of job skip locked`,
        [ids],
      );
      crashPoint(alone ? 'W1' : 'F0', ids);
      const rows = found.map(rowOf) as ReturnType<typeof rowOf>[];
      const outcomes = await op.handleMany!(db, rows, world.clock.now());
      const sealed = rows.flatMap(({ id, requestId }) => {
        const outcome: unknown = outcomes.get(id);
        if (outcome === undefined) return [];
        if (outcome instanceof Refusal) return refused(id, outcome, requestId);
        return completed(id, outcome as object);
      });
      if (alone) crashPoint('W3', ids);
      await seal(db, sealed);
      crashPoint(alone ? 'W4' : 'F1', ids);
      return sealed;
    });
    crashPoint(alone ? 'W5' : 'F2', ids);
    return answers;
  } catch (error) {
    // One poisonous row must not harm the others, so each is tried alone.
    world.log.warn({ err: error, operation: op.name }, 'a flight failed; its jobs go one by one');
    return [];
  }
}
