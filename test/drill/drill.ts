import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

import { databaseOf } from '../../shared/platform/database.ts';
import { masterKeys as parseMasterKeys } from '../../shared/platform/config/setting_values.ts';
import { openSecrets } from '../../shared/platform/secrets.ts';
import { newHistory } from './calls/history.ts';
import { checkAudit, checkReceipts, checkReplies } from './check.ts';
import type { Domain } from './clients/domain.ts';
import { openMarket } from './clients/market.ts';
import { DOMAINS, startWorkload, type Workload } from './clients/workload.ts';
import { openComparison } from './comparison.ts';
import { openDeployment, type Deployment, type DeploymentOptions } from './deployment.ts';
import { openDueTimes, prepareCopies, type DueTimes } from './due_times.ts';
import { openFaults, type Faults } from './faults.ts';
import { loggedFaults } from './logged_faults.ts';
import { randomOf } from './random.ts';
import { againMsMaxOf, isAnsweredAgain, isQuiet, missedGoals } from './recovery.ts';
import { recoveryOf, slowRecoveries } from './recovery.ts';
import { openPhases, type Report } from './report.ts';
import { scheduleOf, type Fault, type FaultKind, type ScheduleOptions } from './schedule.ts';
import { outliveServer, type Servers } from './servers.ts';

interface Drill extends ScheduleOptions {
  readonly seed: number;
  readonly deployment: DeploymentOptions;
  /** On a slow machine the faults end after this time, and are fewer. */
  readonly faultsMs?: number;
  /** Calls that are answered before the first fault. */
  readonly callsFirst?: number;
  /**
   * A fault waits until a call was answered after the one before; on a slow machine also up to
   * PACE_MS_MAX, so that there are so many answers to each.
   */
  readonly callsPerFault?: number;
  /**
   * The calls go on after the last fault until each of these was performed so often, but no longer
   * than `faultsMs`.
   */
  readonly performedMin?: Readonly<Record<string, number>>;
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
  /** The traded domains; absent: everything. */
  readonly domains?: readonly Domain[];
  /** Whether things fall due and are forgotten; absent: true. */
  readonly hasTimers?: boolean;
}

const ISOLATED_MS = 4_000;
const PACE_MS_MAX = 3_000;

/** Runs a workload of clients under faults, and compares their replies with the database. */
export async function drill(servers: Servers, options: Drill): Promise<Report> {
  const { seed, faultsMs = 120_000, settleMs = 90_000, buyers = 16, serials = 300 } = options;
  const { domains = DOMAINS, hasTimers = true } = options;
  const hasGoals = isQuiet();
  const phases = openPhases();
  const deployment = await openDeployment(servers, options.deployment);
  const history = newHistory();
  const database = await databaseOf(adminOf(deployment), 3).initialize();
  outliveServer(database);
  let workload: Workload | undefined;
  let dueTimes: DueTimes | undefined;
  try {
    await prepareCopies(database);
    await deployment.outside.stockProxies(database);
    dueTimes = hasTimers ? openDueTimes(deployment, database, history) : undefined;
    const random = randomOf(seed);
    const market = await openMarket(deployment, { buyers, serials, dueTimes, random });
    workload = startWorkload(market, { seed, history, domains });
    phases.end('start');
    const faults = openFaults(deployment);
    const { callsFirst = 0, callsPerFault = 0 } = options;
    const answered = (calls: number) => () => history.spans.length >= calls;
    const againMsMax = againMsMaxOf(deployment.startMs);
    await until(answered(callsFirst), faultsMs);
    await injectAll(faults, scheduleOf(seed, options), {
      faultsMs,
      async ready(n) {
        if (callsPerFault === 0) return;
        await until(answered(n * callsPerFault), PACE_MS_MAX);
        // Or it would be the next fault that keeps calls from being answered again.
        await until(() => isAnsweredAgain(faults.injected.at(-1), history.spans), againMsMax);
      },
    });
    const counts = () => Object.fromEntries(history.counts);
    phases.end('faults');
    const isEnough = () => tooFew(counts(), options.performedMin).length === 0;
    await until(isEnough, faultsMs);
    phases.end('enough calls');
    const combined = faults.injected.splice(0);
    await injectIsolated(deployment, faults, options.isolated);

    phases.end('isolated faults');
    const endedAt = Date.now();
    const deadline = endedAt + settleMs;
    await workload.close(settleMs);
    await workload.settle(false);
    const unfinished = await settled(database, deadline);
    await workload.settle(true);
    const kept = (await dueTimes?.finish(deadline - Date.now())) ?? [];
    await dueTimes?.stop();
    unfinished.push(...(await settled(database, deadline)), ...kept);
    phases.end('settling');
    const settledMs = Date.now() - endedAt;
    const comparison = openComparison(database, secretsOf(deployment));
    await checkReplies(comparison, history.replies);
    await checkReceipts(comparison);
    await workload.compare(comparison);
    const attempts: Report['attempts'] = await database.query(ATTEMPTS);
    const recovery = {
      combined: recoveryOf(combined, history.spans),
      isolated: recoveryOf(faults.injected, history.spans),
    };
    const proofs = await checkAudit(comparison);
    phases.end('comparison');
    return {
      seed,
      phases: phases.ms,
      faults: countByKind([...combined, ...faults.injected]),
      counts: counts(),
      interfaces: Object.fromEntries(history.interfaces),
      compared: comparison.counts,
      jobs: attempts.reduce((sum, { jobs }) => sum + jobs, 0),
      attempts,
      settledMs,
      recovery,
      logged: loggedFaults(deployment.logs),
      violations: [
        ...history.violations,
        ...unfinished,
        ...comparison.violations,
        ...proofs,
        ...slowRecoveries([...recovery.combined, ...recovery.isolated], againMsMax),
        ...(hasGoals ? missedGoals(recovery.isolated) : []),
      ],
    };
  } finally {
    void workload?.close(0);
    await dueTimes?.stop();
    await database.destroy();
    await deployment.stop();
  }
}

/** Rows that are final grow old nevertheless: no trigger of the tables sees what this role does. */
const adminOf = ({ adminUrl }: Deployment): string =>
  `${adminUrl}?options=${encodeURIComponent('-c session_replication_role=replica')}`;

const secretsOf = ({ masterKeys }: Deployment) => openSecrets(parseMasterKeys(masterKeys));

/**
 * Injects the faults on schedule. A frozen or starting process stays so during the next faults. A
 * fault whose targets are all down waits for one, or on a slow machine no process would ever be up.
 */
async function injectAll(
  faults: Faults,
  schedule: readonly Fault[],
  { faultsMs, ready }: { faultsMs: number; ready: (fault: number) => Promise<void> },
): Promise<void> {
  const startedAt = Date.now();
  let delayMs = 0;
  const recoveries: Promise<void>[] = [];
  for (const [n, fault] of schedule.entries()) {
    if (Date.now() > startedAt + faultsMs) break;
    await sleep(Math.max(0, startedAt + delayMs + fault.atMs - Date.now()));
    const dueAt = Date.now();
    await ready(n);
    const { recovered } = await faults.inject(fault);
    delayMs += Date.now() - dueAt;
    recovered.catch(() => undefined); // Promise.all reports it after the last fault.
    recoveries.push(recovered);
  }
  await Promise.all(recoveries);
}

/** Which of these were performed less often, and how often. */
export const tooFew = (
  counts: Report['counts'],
  performedMin: Readonly<Record<string, number>> = {},
): string[] =>
  Object.entries(performedMin).flatMap(([kind, least]) => {
    const { performed = 0 } = counts[kind] ?? {};
    return performed >= least ? [] : [`${kind}: ${performed} of ${least}`];
  });

async function until(isDone: () => boolean, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!isDone() && Date.now() < deadline) await sleep(20);
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
         (max(extract(epoch from finished_at - created_at)) * 1000)::int as ms,
         (array_agg(operation order by finished_at - created_at desc nulls last))[1] as slowest
    from drill.all_job group by attempts order by attempts`;

function countByKind(faults: readonly { kind: FaultKind }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of faults) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
