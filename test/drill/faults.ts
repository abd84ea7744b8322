import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';

import { processesIn, signal } from '../../local/processes/running_processes.ts';
import type { Server } from '../../local/processes/server.ts';
import type { SupervisedProcess } from './supervised_process.ts';
import type { Deployment } from './deployment.ts';
import type { Fault, FaultKind } from './schedule.ts';

/** A fault that was injected: when it began, by Date.now(). */
export interface InjectedFault {
  readonly kind: FaultKind;
  readonly at: number;
  /** Of a killed server: how long its supervisor took until it accepted connections. */
  downMs?: number;
}

export interface Injection {
  /** Resolves when the target works, or its supervisor is starting it. */
  readonly recovered: Promise<void>;
}

/** Injects faults, and repairs what does not recover by itself. */
export function openFaults(deployment: Deployment) {
  const { postgres, redis } = deployment.servers;
  const injected: InjectedFault[] = [];
  const [onPostgres, onRedis] = [oneAtATime(), oneAtATime()];

  function record(kind: FaultKind): InjectedFault {
    const fault: InjectedFault = { kind, at: Date.now() };
    injected.push(fault);
    return fault;
  }

  const data = join(postgres.folder, 'data');
  const postgresPids = () => processesIn(data, join(data, 'postmaster.pid'));
  const inject: Record<FaultKind, (fault: Fault) => Promise<Injection>> = {
    'worker killed': (fault) => kill(fault, deployment.workers),
    'worker frozen': (fault) => freeze(fault, deployment.workers),
    'API killed': (fault) => kill(fault, deployment.apis),
    'API frozen': (fault) => freeze(fault, deployment.apis),
    'Redis killed': (fault) => onRedis(() => restart(fault, redis)),
    'Redis frozen': (fault) => onRedis(() => pause(fault, () => [redis.pid()])),
    'Redis clients disconnected': (fault) => onRedis(() => disconnectClients(fault)),
    'PostgreSQL killed': (fault) => onPostgres(() => restart(fault, postgres)),
    'PostgreSQL frozen': (fault) => onPostgres(() => pause(fault, postgresPids)),
    'PostgreSQL sessions ended': (fault) => onPostgres(() => endSessions(fault)),
  };

  async function kill(
    { kind, target }: Fault,
    candidates: readonly SupervisedProcess[],
  ): Promise<Injection> {
    const process = await pickReady(candidates, target);
    record(kind);
    process.kill();
    return { recovered: Promise.resolve() };
  }

  async function freeze(
    { kind, target, forMs }: Fault,
    candidates: readonly SupervisedProcess[],
  ): Promise<Injection> {
    const process = await pickReady(candidates, target);
    record(kind);
    return { recovered: process.freeze(forMs) };
  }

  /** SIGKILL of the postmaster is an immediate stop: the next start is a crash recovery. */
  async function restart({ kind }: Fault, server: Server): Promise<void> {
    const fault = record(kind);
    const ended = server.ended();
    server.kill('SIGKILL');
    await ended;
    await server.start();
    fault.downMs = Date.now() - fault.at;
  }

  async function pause({ kind, forMs }: Fault, pidsOf: () => number[]): Promise<void> {
    record(kind);
    const pids = pidsOf();
    for (const pid of pids) signal(pid, 'SIGSTOP');
    await sleep(forMs);
    for (const pid of pids) signal(pid, 'SIGCONT');
  }

  async function endSessions({ kind, target }: Fault): Promise<void> {
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => undefined);
    await client.connect();
    record(kind);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where usename = 'market_app' and pid % 4 = $1`,
      [Math.floor(target * 4)],
    );
    await client.end();
  }

  async function disconnectClients({ kind, target }: Fault): Promise<void> {
    const client = new Redis(redis.url, { retryStrategy: () => null });
    client.on('error', () => undefined);
    record(kind);
    // Half of the time the subscribers (they wait for answers), otherwise the normal connections.
    await client.client('KILL', 'TYPE', target < 0.5 ? 'pubsub' : 'normal', 'SKIPME', 'yes');
    client.disconnect();
  }

  return { injected, inject: (fault: Fault) => inject[fault.kind](fault) };
}
export type Faults = ReturnType<typeof openFaults>;

/** The chosen process, or the next one that is up and not frozen. */
async function pickReady(
  candidates: readonly SupervisedProcess[],
  target: number,
): Promise<SupervisedProcess> {
  for (;;) {
    const first = Math.floor(target * candidates.length);
    const ready = [...candidates.slice(first), ...candidates.slice(0, first)].find((process) =>
      process.isReady(),
    );
    if (ready) return ready;
    await sleep(20);
  }
}

/** The next fault of a server waits until the server has recovered from the one before. */
function oneAtATime() {
  let recovered: Promise<void> = Promise.resolve();
  return async (breakServer: () => Promise<void>): Promise<Injection> => {
    await recovered;
    recovered = breakServer();
    return { recovered };
  };
}
