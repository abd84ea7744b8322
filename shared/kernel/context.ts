import type { DataSource } from 'typeorm';

import type { KnownKeys } from '../agents/known_keys.ts';
import type { EventFeed } from '../events/event_feed.ts';
import type { JobAnswer } from '../jobs/jobs.ts';
import type { RefusalCounts } from '../policies/anomalies/refusal_counts.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../composition/config.ts';
import type { CallCounts } from '../platform/shares/call_counts.ts';
import type { Backoff } from '../platform/shares/backoff.ts';
import type { Limiter } from '../platform/limiter.ts';
import type { Pace } from '../platform/shares/pace.ts';
import type { Turns } from '../platform/shares/turns.ts';
import type { Progress } from '../platform/progress.ts';
import type { Log } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Gateways } from './gateways.ts';
import type { AnyOperation } from './operation.ts';
import type { Refusal } from './refusal.ts';

/** What a process is made of. Built once in its main.ts (or by a test) and passed by hand. */
export interface Context {
  readonly config: Config;
  /** For calls and jobs. */
  readonly database: DataSource;
  /**
   * A few connections apart, for what must go on while calls and jobs use all others: the
   * dispatcher, readiness, revoked keys, the clock, answers that Redis lost.
   */
  readonly reserved: DataSource;
  readonly queue: JobQueue;
  readonly feed: EventFeed;
  readonly keys: KnownKeys;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly limiters: Limiters;
  /** Of each agent, and of each address without a key, in the current minute. */
  readonly callCounts: CallCounts;
  /** Of spends, by agent, for the rules about anomalies. */
  readonly refusalCounts: RefusalCounts;
  /** The recording of calls as jobs, by operation. */
  readonly recording: Progress;
  readonly log: Log;
  /** How a job ends that is refused. What its body says comes from the catalog. */
  readonly refusalAnswer: (id: string, refusal: Refusal, requestId: string) => JobAnswer;
  /** The catalog. */
  readonly operations: ReadonlyMap<string, AnyOperation>;
  /** Only workers have them: the API never connects to outside systems. */
  readonly gateways?: Gateways;
}

/** The limiters of a process. Each tree of agents, and each address without a key, has a share. */
export interface Limiters {
  /** CALLS_MAX calls, from when they are read to when they are answered or wait for a worker. */
  readonly calls: Limiter;
  /** As many jobs, from the call to the answer: when these are used up, reads go on. */
  readonly jobs: Limiter;
  /** Transactions of calls: the others of the process' connections are for what all calls share. */
  readonly transactions: Turns;
  /** Reads that cost much: before they get one of these transactions. */
  readonly costlyReads: Turns;
  /** What is refused because there is too much of it. */
  readonly refusals: Pace;
  /** Wrong tokens of operators, by address. */
  readonly operatorLogins: Backoff;
}
