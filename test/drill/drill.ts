import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

import { databaseOf } from '../../shared/platform/database.ts';
import { check } from './check.ts';
import { openFaults, type Faults } from './faults.ts';
import { faultsLogged } from './logged_faults.ts';
import { openMarket } from './market.ts';
import { recoveryOf, type Recovery } from './recovery.ts';
import { openRig, type Rig, type RigOptions } from './deployment.ts';
import { scheduleOf, type Fault, type FaultKind, type Mix } from './schedule.ts';
import type { Servers } from './servers.ts';
import { startTrade, type Trade } from './workload.ts';

export interface Drill {
  readonly seed: number;
  readonly rig: RigOptions;
  readonly faults: number;
  /** Between two faults, on average. */
  readonly everyMs: number;
  readonly mix?: Mix;
  /** On a slow machine the storm ends by then, with fewer faults. */
  readonly stormMs?: number;
  /** After the storm: so many of these faults, each alone, to see how long recovery takes. */
  readonly alone?: { readonly kinds: readonly FaultKind[]; readonly times: number };
  readonly buyers?: number;
  /** Units to be had of the larger serial pools. */
  readonly serials?: number;
  /**
   * How long what was accepted may take once nothing breaks any more. A refresh of the proxies that
   * was in the hands of a dead worker is begun again after a minute.
   */
  readonly settleMs?: number;
}

export interface Report {
  readonly seed: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly calls: number;
  /** Calls that moved money or changed who will get it, by operation. */
  readonly moved: Readonly<Record<string, number>>;
  readonly jobs: number;
  /** How many jobs were begun how often after their first try, and how long the slowest took. */
  readonly tries: readonly { readonly again: number; readonly jobs: number; readonly ms: number }[];
  readonly settledMs: number;
  readonly recovery: { readonly storm: readonly Recovery[]; readonly alone: readonly Recovery[] };
  /** What the processes logged as faults, and how often. */
  readonly logged: readonly (readonly [what: string, times: number])[];
  readonly violations: readonly string[];
}

const ALONE_MS = 4_000;

/** Lets clients trade in a storm of faults, and compares what they were told with what is. */
export async function drill(servers: Servers, options: Drill): Promise<Report> {
  const { seed, stormMs = 120_000, settleMs = 90_000, buyers = 16, serials = 300 } = options;
  const rig = await openRig(servers, options.rig);
  let trade: Trade | undefined;
  try {
    const market = await openMarket(rig, { buyers, serials });
    trade = startTrade(market, { seed, urls: rig.urls });
    const faults = openFaults(rig);
    await storm(faults, scheduleOf(seed, options), stormMs);
    const stormy = faults.done.splice(0);
    await alone(rig, faults, options.alone);

    const endedAt = Date.now();
    await trade.close(settleMs);
    const database = await databaseOf(rig.databaseUrl, 2).initialize();
    const unfinished = await settled(database, endedAt + settleMs);
    const settledMs = Date.now() - endedAt;
    const { history } = trade;
    const found = await check(database, { ...trade, market });
    const tries: Report['tries'] = await database.query(TRIES);
    await database.destroy();
    return {
      seed,
      faults: counted([...stormy, ...faults.done]),
      calls: history.spans.length,
      moved: history.moved,
      jobs: tries.reduce((sum, { jobs }) => sum + jobs, 0),
      tries,
      settledMs,
      recovery: {
        storm: recoveryOf(stormy, history.spans),
        alone: recoveryOf(faults.done, history.spans),
      },
      logged: faultsLogged(rig.logs),
      violations: [...history.violations, ...unfinished, ...found],
    };
  } finally {
    void trade?.close(0);
    await rig.stop();
  }
}

/**
 * What is frozen or starting stays so while the next faults happen. A fault whose victims are all
 * down waits for one, or a slow machine would never see its processes up.
 */
async function storm(faults: Faults, schedule: readonly Fault[], stormMs: number): Promise<void> {
  const startedAt = Date.now();
  let lateMs = 0;
  const mending: Promise<void>[] = [];
  for (const fault of schedule) {
    if (Date.now() > startedAt + stormMs) break;
    await sleep(Math.max(0, startedAt + lateMs + fault.atMs - Date.now()));
    const due = Date.now();
    const { mended } = await faults.strike(fault);
    lateMs += Date.now() - due;
    mended.catch(() => undefined); // It is reported when the storm is over.
    mending.push(mended);
  }
  await Promise.all(mending);
}

async function alone(
  rig: Rig,
  faults: Faults,
  { kinds, times }: { kinds: readonly FaultKind[]; times: number } = { kinds: [], times: 0 },
): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    for (const kind of kinds) {
      await rig.whole();
      await sleep(ALONE_MS);
      const struck = await faults.strike({ kind, target: (n % 3) / 3, atMs: 0, forMs: 0 });
      await struck.mended;
    }
  }
  if (times > 0) await sleep(ALONE_MS);
}

/**
 * Answers when nothing that was accepted is left to be done; past the deadline, with what is. A
 * timer may start something a moment later.
 */
async function settled(database: DataSource, deadline: number): Promise<string[]> {
  for (;;) {
    const left: { id: string; operation: string }[] = await database.query(
      `select id, operation from job where status = 'pending'`,
    );
    if (left.length === 0 || Date.now() > deadline) {
      return left.map(({ id, operation }) => `job ${id} of ${operation} is still pending`);
    }
    await sleep(50);
  }
}

const TRIES = `
  select attempts as again, count(*)::int as jobs,
         (max(extract(epoch from finished_at - created_at)) * 1000)::int as ms
    from job group by attempts order by attempts`;

function counted(done: readonly { kind: FaultKind }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of done) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
