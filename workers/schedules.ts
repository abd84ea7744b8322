import { PLATFORM } from '../shared/agents/caller.ts';
import { catalog } from '../shared/kernel/catalog.ts';
import { fingerprintOf, insertJobs, newJobId, PURPOSE } from '../shared/jobs/jobs.ts';
import type { Context } from '../shared/kernel/context.ts';

/** The period that each scheduled operation was last started for by this process. */
export type StartedPeriods = Map<string, string>;

/** Starts what is to run every so often: one row a period, however many dispatchers there are. */
export async function startSchedules(
  { database, clock, secrets }: Context,
  started: StartedPeriods,
): Promise<void> {
  const now = clock.now();
  const due = [...catalog.values()].flatMap(({ name, everyMs }) => {
    if (!everyMs) return [];
    const period = new Date(Math.floor(now.getTime() / everyMs) * everyMs).toISOString();
    return started.get(name) === period ? [] : { name, period };
  });
  if (due.length === 0) return;
  await insertJobs(
    database,
    due.map(({ name, period }) => ({
      id: newJobId(now),
      operation: name,
      agentId: PLATFORM.agentId,
      rootId: PLATFORM.rootId,
      input: {},
      hash: secrets.hash(PURPOSE, fingerprintOf(name, {})).hash,
      requestId: `${name}:timer`,
      cause: `${name}:${period}`,
      runAt: now,
    })),
  );
  for (const { name, period } of due) started.set(name, period);
}
