import type { DataSource } from 'typeorm';

import type { KnownKeys } from '../domains/agents/known_keys.ts';
import type { EventFeed } from '../domains/events/event_feed.ts';
import type { RefusalCounts } from '../domains/policies/anomalies/refusal_counts.ts';
import type { RequestLog } from '../domains/requests/request_log.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { JobAnswer } from '../kernel/terms/job_answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from './config.ts';
import type { CallCounts } from '../platform/shares/call_counts.ts';
import type { Backoff } from '../platform/shares/backoff.ts';
import type { Limiter } from '../platform/limiter.ts';
import type { Pace } from '../platform/shares/pace.ts';
import type { Turns } from '../platform/shares/turns.ts';
import type { Standby } from '../platform/connections/standby.ts';
import type { SchemaFit } from '../platform/connections/schema_fit.ts';
import type { Progress } from '../platform/progress.ts';
import type { Log } from '../platform/log.ts';
import type { Telemetry } from '../platform/telemetry/open_telemetry.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Gateways } from './gateways.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import type { Refusal } from '../kernel/refusal.ts';

/** The parts of a process. Built once in its main.ts (or by a test) and passed by hand. */
export interface Context {
  readonly config: Config;
  /** Connections for calls and jobs. */
  readonly database: DataSource;
  /**
   * A few separate connections for duties that must go on while calls and jobs use all others: the
   * dispatcher, readiness, revoked keys, the clock, answers that Redis lost.
   */
  readonly reserved: DataSource;
  /** A standby for reads that may be some seconds old; absent: none is set. */
  readonly standby?: Standby;
  readonly queue: JobQueue;
  readonly feed: EventFeed;
  readonly keys: KnownKeys;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly limiters: Limiters;
  /** Calls in the current minute of each tree, and of each address without a key. */
  readonly callCounts: CallCounts;
  /** Refusals of spends by agent, for the anomaly rules. */
  readonly refusalCounts: RefusalCounts;
  /** Calls by keys, for the owners of their agents. */
  readonly requestLog: RequestLog;
  /** Progress of the recording of calls as jobs, by operation. */
  readonly recording: Progress;
  /** Operations whose statements do not fit the schema. */
  readonly schemaFit: SchemaFit;
  readonly log: Log;
  /** The answer of a refused job. Its body depends on the catalog. */
  readonly refusalAnswer: (
    id: string,
    refusal: Refusal,
    requestId: string,
    operation?: string,
  ) => JobAnswer;
  /** The catalog. */
  readonly operations: ReadonlyMap<string, AnyOperation>;
  /** Traces and figures for a collector; absent: none is set. */
  readonly telemetry?: Telemetry;
  /** Gateways, in workers only: the API never connects to outside systems. */
  readonly gateways?: Gateways;
}

/** The limiters of a process. Each tree of agents, and each address without a key, has a share. */
interface Limiters {
  /** Limits calls to CALLS_MAX, from reading them until they are answered or wait for a worker. */
  readonly calls: Limiter;
  /** Limits jobs to as many, from call to answer: when these are used up, reads go on. */
  readonly jobs: Limiter;
  /** Turns of calls for transactions; the other connections are for work that all calls share. */
  readonly transactions: Turns;
  /** Turns of costly reads, before they get a transaction. */
  readonly costlyReads: Turns;
  /** Pace of refusals for excess. */
  readonly refusals: Pace;
  /** Backoff after wrong operator tokens, by address. */
  readonly operatorLogins: Backoff;
}
