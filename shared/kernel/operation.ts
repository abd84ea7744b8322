import type { DataSource, EntityManager } from 'typeorm';

import type { Caller } from '../agents/caller.ts';
import type { Config } from '../composition/config.ts';
import type { NextEvent } from '../events/event_reader.ts';
import type { Cost, CostRange } from '../wallet/cost.ts';
import type { Gateways } from './gateways.ts';
import type { AwaitedJob, JobAnswer, RecordedCall } from '../jobs/jobs.ts';
import type { Streaming } from './paging.ts';
import type { QueueName } from './terms/queue_names.ts';
import type { Refusal, RefusalCode } from './refusal.ts';
import type { Static, TObject, TSchema } from './schema.ts';
import type { KeylessSale } from './terms/keyless_sale.ts';
import type { Log } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets.ts';

/**
 * What a key must allow. public: no key; any: a key, no particular scope; owner: a key that holds
 * all three scopes, of a root agent or, where `ownerOf` names an agent, of one above that (with
 * `actsBelow`, of any agent); operator: the operator's token.
 */
export type Access = 'public' | 'any' | 'read' | 'buy' | 'sell' | 'owner' | 'operator';

/** The facts about one call. */
export interface Call {
  readonly caller: Caller;
  readonly now: Date;
  /** Unique to this call and stable across retries: build every other key from it. */
  readonly key: string;
  readonly requestId: string;
  /** Where it came from: an IPv4 address, or the /64 of an IPv6 one. A worker does not know it. */
  readonly address?: string | undefined;
  /** Told of a limit that counts this call, for the headers of its answer. */
  readonly onRateLimit?: ((limit: RateLimit) => void) | undefined;
}

/** How much of a limit is left, in the terms of the RateLimit headers. */
export interface RateLimit {
  readonly name: string;
  /** Calls that are allowed in a window. */
  readonly limit: number;
  readonly windowSeconds: number;
  readonly left: number;
  /** Until there is more. */
  readonly resetSeconds: number;
}

/** The one transaction a handler runs in. */
export interface Tx extends Call {
  readonly db: EntityManager;
  readonly secrets: Secrets;
  readonly config: Config;
  readonly log: Log;
  /**
   * Starts another operation if, and only if, this transaction commits. `cause` says why, once in a
   * call: to start a job twice for one cause is a fault.
   */
  enqueue<I extends TObject>(
    next: Successor<I>,
    input: Static<I>,
    options: { cause: string; delayMs?: number },
  ): Promise<void>;
  /** The same for many at once, whose causes are `<cause>/0`, `<cause>/1` … */
  enqueueAll<I extends TObject>(
    next: Successor<I>,
    inputs: readonly Static<I>[],
    options: { cause: string; delayMs?: number },
  ): Promise<void>;
  /** Hands a deferred job to a worker, if this transaction commits. False: it is not deferred. */
  resumeJob(id: string): Promise<boolean>;
  /** Hands a job that this transaction has made due to a worker, if the transaction commits. */
  wakeJob(job: { readonly id: string; readonly operation: string }): void;
  /** Ends a deferred call in a refusal, if and only if this transaction commits. */
  refuseJob(job: RecordedCall, why: Refusal): Promise<void>;
  /** The operations by their names: how to call them. */
  readonly operations: ReadonlyMap<string, Pick<AnyOperation, 'rest' | 'access' | 'input'>>;
  /** The whole result of an operation, from what was stored of it. */
  rehydrate(operation: string, stored: object): Promise<object>;
}

/** A job operation that another starts. */
export type Successor<I extends TObject> = Pick<
  Operation<I>,
  'name' | 'queue' | 'input' | 'handleMany'
>;

/**
 * What `handle` of a job answers while jobs that it started are pending: it stays pending too, and
 * is handled again when they have ended (jobs/child_jobs.ts).
 */
export const WAIT_FOR_CHILD_JOBS = Symbol('wait for child jobs');

/** What `gather` knows of its call. */
export interface GatherCall {
  /** The call's key: the idempotency key of what is asked outside. */
  readonly key: string;
  readonly requestId: string;
  /** The tree of agents that asks (the id of its root), for its share of what is asked outside. */
  readonly tree: number;
  /** Aborted when `gatherMs` are over. */
  readonly signal: AbortSignal;
}

/** How REST words the input of an operation. Made by `dialect`. */
export interface Dialect<I extends TObject> {
  readonly input: TObject;
  toInput(restInput: object): Static<I>;
}

/**
 * REST parses and documents `input`, and `toInput` translates it. What `input` lets pass the
 * operation's own input should let pass too, or a refusal would name fields that REST has not.
 */
export const dialect = <R extends TObject, I extends TObject>(
  input: R,
  toInput: (restInput: Static<R>) => Static<I>,
): Dialect<I> => ({ input, toInput });

/** One function of the marketplace. REST route, MCP tool, OpenAPI path and job come from it. */
export interface Operation<
  I extends TObject = TObject,
  O extends TSchema = TSchema,
  P = unknown,
  F = unknown,
> {
  /** The name on every wire, in the queue and in the log, and the name of the file. */
  readonly name: string;
  readonly title: string;
  /** One or two sentences for the agent that has to choose: what it does, changes and costs. */
  readonly summary: string;
  readonly access: Access;
  /**
   * Of access owner: the field of the input that names the agent that is acted on. The caller must
   * be an agent above that one, or the root of its tree (agents/assert_owns.ts).
   */
  readonly ownerOf?: string & keyof I['properties'];
  /** Of access owner: it acts only on agents below its caller, so a child may call it too. */
  readonly actsBelow?: true;
  /**
   * read:  answered by the API process, in a read-only transaction.
   * job:   recorded, queued, and performed by a worker.
   * write: performed by the API process in one transaction.
   */
  readonly mode: 'read' | 'job' | 'write';
  /** Its folder, its tag in OpenAPI and its group of tools. */
  readonly domain: string;
  /** Of a job, and of a write that may be deferred: which queue carries it. */
  readonly queue?: QueueName;
  /** `METHOD /path`, as in the specification. Absent: no caller can call it. */
  readonly rest?: string;
  /** Another path for the same. */
  readonly alias?: string;
  /** False where REST offers it and the tool lists do not. */
  readonly tool?: false;
  /** One of the specification's 41 tools, whose names and required inputs may not change. */
  readonly core?: true;
  /**
   * Of what operators may change, for the audit log: a kind of object, and the field of the input
   * that names it (none: the platform as a whole).
   */
  readonly actsOn?: { readonly kind: string; readonly field?: string & keyof I['properties'] };
  /** It takes money from the wallet, or changes or ends what cannot be brought back. */
  readonly destructive?: true;
  /** Repeating it with the same input changes nothing more. */
  readonly idempotent?: true;
  /**
   * The codes that its own rules refuse with. Those of its access, its input and the state of the
   * platform follow from the fields above (api/docs/refusals_of.ts).
   */
  readonly refusals?: readonly RefusalCode[];
  /** Of a read: PostgreSQL has far more work with it, so a process runs few at once, by turns. */
  readonly costly?: true;
  /** Its answer is a secret, so it is stored nowhere: an Idempotency-Key is ignored. */
  readonly secret?: true;
  readonly input: I;
  /** The input over REST, where the interface words or bounds it otherwise than for the tool. */
  readonly dialect?: Dialect<NoInfer<I>>;
  readonly output: O;
  /** How often the dispatcher starts it, in ms, once a period however many dispatchers run. */
  readonly everyMs?: number;
  /** How long `gather` may take, in ms, before it is aborted. Default 30 000. */
  readonly gatherMs?: number;
  /** It reads events, all that were committed before (events/event_feed.ts). Not of a job. */
  readonly readsEvents?: true;
  /**
   * Of a read: the job whose end, or the event that, would change this answer, so that a caller may
   * wait for it.
   */
  awaits?(
    result: Static<O>,
    call: { readonly caller: Caller; readonly input: Static<I> },
  ): AwaitedJob | NextEvent | undefined;
  /** What of a write's result may be stored to answer a repeat: everything but its secrets. */
  redact?(result: Static<O>): object;
  /** The whole result again, from what was stored of it. */
  rehydrate?(db: EntityManager, stored: object): Promise<Static<O>>;
  /** Of a read that can be waited for: how REST serves it as a stream of server-sent events. */
  readonly stream?: Streaming<I, O>;
  /** Of what can be paid for by x402: what it costs now. Refuses what no payment would cure. */
  costOf?(tx: Tx, input: Static<I>): Promise<Cost>;
  /** Of the same: the least and the most that it may be. Absent: any amount. */
  readonly costs?: CostRange;
  /** Of the same: who has no key may pay for it too. */
  readonly soldWithoutKey?: KeylessSale<O>;
  /** Reads (and unseals) what `gather` needs, and refuses early. Nothing it returns is stored. */
  prepare?(tx: Tx, input: Static<I>): Promise<P>;
  /** Learns facts from outside. May run more than once; must not touch the database. */
  gather?(gateways: Gateways, input: Static<I>, call: GatherCall, prepared: P): Promise<F>;
  /**
   * Decides and records, in one transaction. Must not touch the network. A refusal that is thrown
   * undoes what was written; of a job, one that is returned keeps it.
   */
  handle(tx: Tx, input: Static<I>, facts: F): Promise<HandleResult<O>>;
  /**
   * What becomes of a job that failed in all its attempts; `handle` will not be called again. fail
   * (the default): it is refused with `internal_error`, and what it held may be given back here.
   * hold: something may have left us whose fate is not known, so the job stays pending for an
   * operator, and no worker takes it.
   */
  onGiveUp?(tx: Tx, input: Static<I>): Promise<'fail' | 'hold'>;
  /**
   * Of an operation that may wait for an owner: gives back what was kept for the call meanwhile, in
   * the transaction in which it is refused, by that decision or by what was found out afterwards.
   */
  onRefuse?(tx: Tx, job: { readonly id: string; readonly code: RefusalCode }): Promise<void>;
  /**
   * `handle` for a whole batch in one statement, from the pending rows to their answers. Rows it
   * leaves out of its answer, it has not touched: they are handled one by one. Only for operations
   * without `gather`.
   */
  handleMany?(db: DataSource, jobIds: readonly string[]): Promise<readonly JobAnswer[]>;
}

export type HandleResult<O extends TSchema> = Static<O> | Refusal | typeof WAIT_FOR_CHILD_JOBS;

/** An operation whose types have been forgotten, as the bindings see it. */
// oxlint-disable-next-line typescript/no-explicit-any -- the one exception: they vary together
export type AnyOperation = Operation<any, any, any, any>;

export function operation<I extends TObject, O extends TSchema, P = undefined, F = undefined>(
  definition: Operation<I, O, P, F>,
): Operation<I, O, P, F> {
  return Object.freeze(definition);
}
