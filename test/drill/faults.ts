import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';

import { processesIn, signal } from '../../local/processes/running_processes.ts';
import type { Server } from '../../local/processes/server.ts';
import type { Kept } from './supervised_process.ts';
import type { Rig } from './deployment.ts';
import type { Fault, FaultKind } from './schedule.ts';

/** A fault that happened: when it began, by Date.now(). */
export interface Done {
  readonly kind: FaultKind;
  readonly at: number;
  /** Of a server that was killed: how long its supervisor took to have it take connections. */
  downMs?: number;
}

/** What a fault broke is whole again, or is being brought up by its supervisor. */
export interface Struck {
  readonly mended: Promise<void>;
}

/** Breaks things as it is told, and mends what does not mend itself. */
export function openFaults(rig: Rig) {
  const { postgres, redis } = rig.servers;
  const done: Done[] = [];
  const [onPostgres, onRedis] = [turns(), turns()];

  function note(kind: FaultKind): Done {
    const fault: Done = { kind, at: Date.now() };
    done.push(fault);
    return fault;
  }

  const data = join(postgres.folder, 'data');
  const postgresPids = () => processesIn(data, join(data, 'postmaster.pid'));
  const strike: Record<FaultKind, (fault: Fault) => Promise<Struck>> = {
    'worker killed': (fault) => killed(fault, rig.workers),
    'worker frozen': (fault) => frozen(fault, rig.workers),
    'API killed': (fault) => killed(fault, rig.apis),
    'API frozen': (fault) => frozen(fault, rig.apis),
    'Redis killed': (fault) => onRedis(() => restarted(fault, redis)),
    'Redis frozen': (fault) => onRedis(() => stopped(fault, () => [redis.pid()])),
    'Redis clients cut off': (fault) => onRedis(() => cutOff(fault)),
    'PostgreSQL killed': (fault) => onPostgres(() => restarted(fault, postgres)),
    'PostgreSQL frozen': (fault) => onPostgres(() => stopped(fault, postgresPids)),
    'PostgreSQL sessions ended': (fault) => onPostgres(() => sessionsEnded(fault)),
  };

  async function killed({ kind, target }: Fault, among: readonly Kept[]): Promise<Struck> {
    const victim = await oneWell(among, target);
    note(kind);
    victim.kill();
    return { mended: Promise.resolve() };
  }

  async function frozen({ kind, target, forMs }: Fault, among: readonly Kept[]): Promise<Struck> {
    const victim = await oneWell(among, target);
    note(kind);
    return { mended: victim.freeze(forMs) };
  }

  /** SIGKILL of the postmaster is an immediate stop: what comes next is crash recovery. */
  async function restarted({ kind }: Fault, server: Server): Promise<void> {
    const fault = note(kind);
    const ended = server.ended();
    server.kill('SIGKILL');
    await ended;
    await server.start();
    fault.downMs = Date.now() - fault.at;
  }

  async function stopped({ kind, forMs }: Fault, pidsOf: () => number[]): Promise<void> {
    note(kind);
    const pids = pidsOf();
    for (const pid of pids) signal(pid, 'SIGSTOP');
    await sleep(forMs);
    for (const pid of pids) signal(pid, 'SIGCONT');
  }

  async function sessionsEnded({ kind, target }: Fault): Promise<void> {
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => undefined);
    await client.connect();
    note(kind);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where usename = 'market_app' and pid % 4 = $1`,
      [Math.floor(target * 4)],
    );
    await client.end();
  }

  async function cutOff({ kind, target }: Fault): Promise<void> {
    const client = new Redis(redis.url, { retryStrategy: () => null });
    client.on('error', () => undefined);
    note(kind);
    // Every other time those who wait for answers, and for jobs, or else everybody.
    await client.client('KILL', 'TYPE', target < 0.5 ? 'pubsub' : 'normal', 'SKIPME', 'yes');
    client.disconnect();
  }

  return { done, strike: (fault: Fault) => strike[fault.kind](fault) };
}
export type Faults = ReturnType<typeof openFaults>;

/** The one chosen, or the next that is up and not frozen. */
async function oneWell(among: readonly Kept[], target: number): Promise<Kept> {
  for (;;) {
    const first = Math.floor(target * among.length);
    const well = [...among.slice(first), ...among.slice(0, first)].find((one) => one.isWell());
    if (well) return well;
    await sleep(20);
  }
}

/** A server is hurt when it is whole. */
function turns() {
  let mended: Promise<void> = Promise.resolve();
  return async (hurt: () => Promise<void>): Promise<Struck> => {
    await mended;
    mended = hurt();
    return { mended };
  };
}
