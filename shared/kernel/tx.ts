import type { EntityManager } from 'typeorm';

import type { Config } from '../composition/config.ts';
import type { Log } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Caller } from './caller.ts';
import type { Refusal } from './refusal.ts';
import type { Static, TObject } from './schema.ts';
import type { Access } from './terms/access.ts';
import type { RecordedCall } from './terms/job_answer.ts';
import type { QueueName } from './terms/queue_names.ts';

/** The facts about one call. */
export interface Call {
  readonly caller: Caller;
  readonly now: Date;
  /** Unique to this call and stable across retries: build every other key from it. */
  readonly key: string;
  readonly requestId: string;
  /** The caller's IPv4 address, or the /64 of its IPv6 address. A worker does not know it. */
  readonly address?: string | undefined;
  /** Receives the state of a limit that counts this call, for the headers of its answer. */
  readonly onRateLimit?: ((limit: RateLimit) => void) | undefined;
}

/** State of a limit, in the terms of the RateLimit headers. */
export interface RateLimit {
  readonly name: string;
  /** Calls allowed in a window. */
  readonly limit: number;
  readonly windowSeconds: number;
  readonly left: number;
  /** Seconds until the window resets. */
  readonly resetSeconds: number;
}

/** The one transaction a handler runs in. */
export interface Tx extends Call {
  readonly db: EntityManager;
  readonly secrets: Secrets;
  readonly config: Config;
  readonly log: Log;
  /**
   * Starts another operation if and only if this transaction commits. `cause` gives the reason,
   * unique in a call: starting a second job for the same cause is a fault.
   */
  enqueue<I extends TObject>(
    next: Successor<I>,
    input: Static<I>,
    options: { cause: string; delayMs?: number },
  ): Promise<void>;
  /**
   * Starts many at once, with the causes `<cause>/0`, `<cause>/1` … and each after its own delay,
   * if there are delays.
   */
  enqueueAll<I extends TObject>(
    next: Successor<I>,
    inputs: readonly Static<I>[],
    options: { cause: string; delaysMs?: readonly number[] },
  ): Promise<void>;
  /** Queues a deferred job for a worker if this transaction commits. False: it is not deferred. */
  resumeJob(id: string): Promise<boolean>;
  /** Queues a job that this transaction has made due, if the transaction commits. */
  wakeJob(job: { readonly id: string; readonly operation: string }): void;
  /** Ends a deferred call in a refusal, if and only if this transaction commits. */
  refuseJob(job: RecordedCall, why: Refusal): Promise<void>;
  /** Runs a timer within this transaction, as the platform: in a sandbox its time comes at will. */
  runTimer(name: string): Promise<void>;
  /** The operations by name, for the way to call them. */
  readonly operations: ReadonlyMap<string, CallableOperation>;
  /** The full result of an operation, from its stored part. */
  rehydrate(operation: string, stored: object): Promise<object>;
}

/** A job operation that another starts. */
export interface Successor<I extends TObject> {
  readonly name: string;
  readonly queue?: QueueName;
  readonly input: I;
  readonly batch?: object;
}

/** The part of an operation that says how it is called, and where its jobs go. */
interface CallableOperation {
  readonly access: Access;
  readonly rest?: string;
  readonly input: TObject;
  readonly queue?: QueueName;
  readonly everyMs?: number;
  readonly effects?: { readonly takes?: string };
}
