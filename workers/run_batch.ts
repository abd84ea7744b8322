import { catalog } from '../shared/kernel/catalog.ts';
import { crashPoint } from '../shared/platform/crash_point.ts';
import type { JobAnswer } from '../shared/jobs/jobs.ts';
import type { AnyOperation } from '../shared/kernel/operation.ts';
import type { Context } from '../shared/kernel/context.ts';
import { answersOf, runJob } from './run_job.ts';

/** How many of a batch's leftovers are handled at a time; who asks the outside mostly waits. */
const SINGLES_AT_ONCE = 4;
const GATHERING_AT_ONCE = 32;

/**
 * Performs the jobs that travel together: in one statement where their operation can do that, and
 * one by one whatever that left out, with the answers of all that are finished now.
 */
export async function runBatch(
  context: Context,
  operation: string,
  ids: readonly string[],
  again?: number,
): Promise<JobAnswer[]> {
  const op = catalog.get(operation);
  const together = op?.handleMany && again === undefined ? await fly(context, op, ids) : [];

  const done = new Set(together.map(({ id }) => id));
  const left = ids.filter((id) => !done.has(id));
  const alone: (JobAnswer | null)[] = [];
  await Promise.all(
    Array.from({ length: op?.gather ? GATHERING_AT_ONCE : SINGLES_AT_ONCE }, async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        alone.push(await runJob(context, id, again));
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
      context,
      ids.filter((id) => !known.has(id)),
    )),
  ];
}

async function fly(
  context: Context,
  op: AnyOperation,
  ids: readonly string[],
): Promise<readonly JobAnswer[]> {
  const alone = ids.length === 1;
  crashPoint(alone ? 'W0' : 'F0', ids);
  try {
    const answers = await op.handleMany!(context.database, ids);
    crashPoint(alone ? 'W5' : 'F2', ids);
    return answers;
  } catch (error) {
    // One poisonous row must not harm the others, so each is tried alone. Whatever happened to a
    // connection that was lost, those that are finished are found so.
    context.log.warn({ err: error, operation: op.name }, 'a batch failed; its jobs go one by one');
    return [];
  }
}
