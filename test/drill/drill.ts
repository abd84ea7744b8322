import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

import { databaseOf } from '../../shared/platform/database.ts';
import { check } from './check.ts';
import { openFaults, type Faults } from './faults.ts';
import { loggedFaults } from './logged_faults.ts';
import { openMarket } from './clients/market.ts';
import { recoveryOf, type Recovery } from './recovery.ts';
import { openDeployment, type Deployment, type DeploymentOptions } from './deployment.ts';
import { scheduleOf, type Fault, type FaultKind, type Mix } from './schedule.ts';
import type { Servers } from './servers.ts';
import { startWorkload, type Workload } from './clients/workload.ts';

export interface Drill {
  readonly seed: number;
  readonly deployment: DeploymentOptions;
  readonly faults: number;
  /** Between two faults, on average. */
  readonly everyMs: number;
  readonly mix?: Mix;
  /** On a slow machine the faults end after this time, and are fewer. */
  readonly faultsMs?: number;
  /** Afterwards: rounds of these faults, each alone, to measure how long recovery takes. */
  readonly isolated?: { readonly kinds: readonly FaultKind[]; readonly rounds: number };
  readonly buyers?: number;
  /** Units for sale in the larger serial pools. */
  readonly serials?: number;
  /**
   * How long accepted jobs may take after the last fault. A refresh of the proxies whose worker
   * died starts once more after a minute.
   */
  readonly settleMs?: number;
}

export interface Report {
  readonly seed: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly calls: number;
  /** Calls that moved money or changed who will get it, by operation. */
  readonly performed: Readonly<Record<string, number>>;
  readonly jobs: number;
  /** Jobs by the number of their attempts after the first, and how long the slowest took. */
  readonly attempts: readonly {
    readonly retries: number;
    readonly jobs: number;
    readonly ms: number;
  }[];
  readonly settledMs: number;
  readonly recovery: {
    readonly combined: readonly Recovery[];
    readonly isolated: readonly Recovery[];
  };
  /** What the processes logged as faults, and how often. */
  readonly logged: readonly (readonly [what: string, times: number])[];
  readonly violations: readonly string[];
}

const ISOLATED_MS = 4_000;

/** Runs a workload of clients under faults, and compares their replies with the database. */
export async function drill(servers: Servers, options: Drill): Promise<Report> {
  const { seed, faultsMs = 120_000, settleMs = 90_000, buyers = 16, serials = 300 } = options;
  const deployment = await openDeployment(servers, options.deployment);
  let workload: Workload | undefined;
  try {
    const market = await openMarket(deployment, { buyers, serials });
    workload = startWorkload(market, { seed, urls: deployment.urls });
    const faults = openFaults(deployment);
    await injectAll(faults, scheduleOf(seed, options), faultsMs);
    const combined = faults.injected.splice(0);
    await injectIsolated(deployment, faults, options.isolated);

    const endedAt = Date.now();
    await workload.close(settleMs);
    const database = await databaseOf(deployment.databaseUrl, 2).initialize();
    const unfinished = await settled(database, endedAt + settleMs);
    const settledMs = Date.now() - endedAt;
    const { history } = workload;
    const found = await check(database, { ...workload, market });
    const attempts: Report['attempts'] = await database.query(ATTEMPTS);
    await database.destroy();
    return {
      seed,
      faults: countByKind([...combined, ...faults.injected]),
      calls: history.spans.length,
      performed: history.performed,
      jobs: attempts.reduce((sum, { jobs }) => sum + jobs, 0),
      attempts,
      settledMs,
      recovery: {
        combined: recoveryOf(combined, history.spans),
        isolated: recoveryOf(faults.injected, history.spans),
      },
      logged: loggedFaults(deployment.logs),
      violations: [...history.violations, ...unfinished, ...found],
    };
  } finally {
    void workload?.close(0);
    await deployment.stop();
  }
}

/**
 * Injects the faults on schedule. A frozen or starting process stays so during the next faults. A
 * fault whose targets are all down waits for one, or on a slow machine no process would ever be up.
 */
async function injectAll(
  faults: Faults,
  schedule: readonly Fault[],
  faultsMs: number,
): Promise<void> {
  const startedAt = Date.now();
  let delayMs = 0;
  const recoveries: Promise<void>[] = [];
  for (const fault of schedule) {
    if (Date.now() > startedAt + faultsMs) break;
    await sleep(Math.max(0, startedAt + delayMs + fault.atMs - Date.now()));
    const dueAt = Date.now();
    const { recovered } = await faults.inject(fault);
    delayMs += Date.now() - dueAt;
    recovered.catch(() => undefined); // Promise.all reports it after the last fault.
    recoveries.push(recovered);
  }
  await Promise.all(recoveries);
}

async function injectIsolated(
  deployment: Deployment,
  faults: Faults,
  { kinds, rounds }: { kinds: readonly FaultKind[]; rounds: number } = { kinds: [], rounds: 0 },
): Promise<void> {
  for (let n = 0; n < rounds; n += 1) {
    for (const kind of kinds) {
      await deployment.untilReady();
      await sleep(ISOLATED_MS);
      const { recovered } = await faults.inject({ kind, target: (n % 3) / 3, atMs: 0, forMs: 0 });
      await recovered;
    }
  }
  if (rounds > 0) await sleep(ISOLATED_MS);
}

/**
 * Resolves when no job is pending, or at the deadline with the pending jobs. A timer may start
 * another job a moment later.
 */
async function settled(database: DataSource, deadline: number): Promise<string[]> {
  for (;;) {
    const pending: { id: string; operation: string }[] = await database.query(
      `select id, operation from job where status = 'pending'`,
    );
    if (pending.length === 0 || Date.now() > deadline) {
      return pending.map(({ id, operation }) => `job ${id} of ${operation} is still pending`);
    }
    await sleep(50);
  }
}

const ATTEMPTS = `
  select attempts as retries, count(*)::int as jobs,
         (max(extract(epoch from finished_at - created_at)) * 1000)::int as ms
    from job group by attempts order by attempts`;

function countByKind(faults: readonly { kind: FaultKind }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of faults) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
