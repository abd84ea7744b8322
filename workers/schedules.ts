import { PLATFORM } from '../shared/kernel/caller.ts';
import { catalog } from '../shared/composition/catalog.ts';
import { fingerprintOf, insertJobs, newJobId, PURPOSE } from '../shared/jobs/jobs.ts';
import { column, rows, type Database } from '../shared/platform/rows.ts';
import type { Context } from '../shared/composition/context.ts';

/** For each scheduled operation: the last period that this process started, and its cause. */
export type StartedPeriods = Map<string, { readonly period: string; readonly cause: string }>;

/**
 * Starts scheduled operations: one row a period, however many dispatchers there are. None starts
 * while the previous one is pending, or rows would pile up if no worker takes their queue.
 */
export async function startSchedules(
  { reserved, clock, secrets }: Context,
  started: StartedPeriods,
): Promise<void> {
  const now = clock.now();
  const due = [...catalog.values()].flatMap(({ name, everyMs }) => {
    if (!everyMs) return [];
    const period = new Date(Math.floor(now.getTime() / everyMs) * everyMs).toISOString();
    return started.get(name)?.period === period ? [] : { name, period, cause: `${name}:${period}` };
  });
  if (due.length === 0) return;
  const pending = await findPending(
    reserved,
    due.flatMap(({ name }) => started.get(name) ?? []),
  );
  const idle = due.filter(({ name }) => !pending.has(started.get(name)?.cause ?? ''));
  await insertJobs(
    reserved,
    idle.map(({ name, cause }) => ({
      id: newJobId(now),
      operation: name,
      agentId: PLATFORM.agentId,
      rootId: PLATFORM.rootId,
      input: {},
      hash: secrets.hash(PURPOSE, fingerprintOf(name, {})).hash,
      requestId: `${name}:timer`,
      cause,
      runAt: now,
    })),
  );
  for (const { name, period } of due) started.set(name, { ...started.get(name)!, period });
  for (const { name, period, cause } of idle) started.set(name, { period, cause });
}

/** The ones of these causes whose job is pending. */
async function findPending(
  database: Database,
  causes: readonly { cause: string }[],
): Promise<ReadonlySet<string>> {
  if (causes.length === 0) return new Set();
  const found = await rows(
    database,
    { cause: column.text },
    `select cause from job where cause = any ($1) and status = 'pending'`,
    [causes.map(({ cause }) => cause)],
  );
  return new Set(found.map(({ cause }) => cause));
}
