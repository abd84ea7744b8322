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
  readonly scheduled: Fault;
  readonly at: number;
  /** When its target worked again, or its supervisor began to start it. */
  endedAt?: number;
  /** Time from the kill of a server until it accepted connections again. */
  downMs?: number;
}

interface Injection {
  /** Resolves when the target works, or its supervisor is starting it. */
  readonly recovered: Promise<void>;
}

/** Injects faults, and repairs what does not recover by itself. */
export function openFaults(deployment: Deployment) {
  const { postgres, redis } = deployment.servers;
  const injected: InjectedFault[] = [];
  const [onPostgres, onRedis] = [oneAtATime(), oneAtATime()];

  function record(scheduled: Fault): InjectedFault {
    const fault: InjectedFault = { kind: scheduled.kind, scheduled, at: Date.now() };
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
    'SOCKS5 server killed': (fault) => kill(fault, deployment.socksServers),
    'SOCKS5 server frozen': (fault) => freeze(fault, deployment.socksServers),
    'Redis killed': (fault) => onRedis(() => restart(fault, redis)),
    'Redis frozen': (fault) => onRedis(() => pause(fault, () => [redis.pid()])),
    'Redis clients disconnected': (fault) => onRedis(() => disconnectClients(fault)),
    'PostgreSQL killed': (fault) => onPostgres(() => restart(fault, postgres)),
    'PostgreSQL frozen': (fault) => onPostgres(() => pause(fault, postgresPids)),
    'PostgreSQL sessions ended': (fault) => onPostgres(() => endSessions(fault)),
  };

  async function kill(fault: Fault, candidates: readonly SupervisedProcess[]): Promise<Injection> {
    const process = await pickReady(candidates, fault.target);
    record(fault);
    process.kill();
    return { recovered: Promise.resolve() };
  }

  async function freeze(
    fault: Fault,
    candidates: readonly SupervisedProcess[],
  ): Promise<Injection> {
    const process = await pickReady(candidates, fault.target);
    record(fault);
    return { recovered: process.freeze(fault.forMs) };
  }

  /** SIGKILL of the postmaster is an immediate stop: the next start is a crash recovery. */
  async function restart(scheduled: Fault, server: Server): Promise<void> {
    const fault = record(scheduled);
    const ended = server.ended();
    server.kill('SIGKILL');
    await ended;
    await server.start();
    fault.downMs = Date.now() - fault.at;
  }

  async function pause(fault: Fault, pidsOf: () => number[]): Promise<void> {
    record(fault);
    const pids = pidsOf();
    for (const pid of pids) signal(pid, 'SIGSTOP');
    await sleep(fault.forMs);
    for (const pid of pids) signal(pid, 'SIGCONT');
  }

  async function endSessions(fault: Fault): Promise<void> {
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => undefined);
    await client.connect();
    record(fault);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where usename = 'market_app' and pid % 4 = $1`,
      [Math.floor(fault.target * 4)],
    );
    await client.end();
  }

  async function disconnectClients(fault: Fault): Promise<void> {
    const client = new Redis(redis.url, { retryStrategy: () => null });
    client.on('error', () => undefined);
    record(fault);
    // Half of the time the subscribers (they wait for answers), otherwise the normal connections.
    await client.client('KILL', 'TYPE', fault.target < 0.5 ? 'pubsub' : 'normal', 'SKIPME', 'yes');
    client.disconnect();
  }

  return {
    injected,
    async inject(fault: Fault): Promise<Injection> {
      const { recovered } = await inject[fault.kind](fault);
      const noteEnd = () => {
        const begun = injected.find(({ scheduled }) => scheduled === fault);
        if (begun) begun.endedAt = Date.now();
      };
      return { recovered: recovered.then(noteEnd) };
    },
  };
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
