import type { Access } from './terms/access.ts';
import type { Gateways } from '../composition/gateways.ts';
import type {
  BatchHandling,
  Bindings,
  Effects,
  JobEnds,
  OwnerRule,
  PaidCall,
  ReadTerms,
  ReadWait,
  StoredAnswer,
  WriteBatch,
} from './terms/operation_groups.ts';
import type { QueueName } from './terms/queue_names.ts';
import type { Refusal, RefusalCode } from './refusal.ts';
import type { Static, TObject, TSchema } from './schema.ts';
import type { Tx } from './tx.ts';

/**
 * The answer of `handle` while jobs that the job has started are pending: it stays pending too, and
 * is handled again when they have ended (jobs/child_jobs.ts).
 */
export const WAIT_FOR_CHILD_JOBS = Symbol('wait for child jobs');

/** The facts about a call that `gather` gets. */
export interface GatherCall {
  /** The call's key, used as idempotency key of outside requests. */
  readonly key: string;
  readonly requestId: string;
  /** The tree of agents (the id of its root), for its share of outside requests. */
  readonly tree: number;
  /** Aborted after `gatherMs`. */
  readonly signal: AbortSignal;
}

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
  /** One or two sentences for the agent that chooses: its effect and its cost. */
  readonly summary: string;
  /** Wishes that it fulfils, in the words of people and models, for find_operation: `a; b`. */
  readonly phrasings?: string;
  readonly access: Access;
  /** For access owner: the agents on which it acts. */
  readonly owners?: OwnerRule<I>;
  /**
   * read:  answered by the API process, in a read-only transaction.
   * job:   recorded, queued, and performed by a worker.
   * write: performed by the API process in one transaction.
   */
  readonly mode: 'read' | 'job' | 'write';
  /** The queue of a job, or of a write that may be deferred. */
  readonly queue?: QueueName;
  /** `METHOD /path`, as in the specification. Absent: no caller can call it. */
  readonly rest?: string;
  /** For an operation that interfaces offer in another way. */
  readonly bindings?: Bindings<NoInfer<I>>;
  /** For an operation that changes something, as callers and the audit log are told. */
  readonly effects?: Effects<I>;
  /**
   * Codes of refusals by its own rules. Those for access, input and the state of the platform
   * follow from the fields above (api/docs/refusals_of.ts).
   */
  readonly refusals?: readonly RefusalCode[];
  /** For an answer that is not stored as it is. */
  readonly stored?: StoredAnswer<O>;
  readonly input: I;
  /** Values that absent fields stand for: a repeat that writes them out is the same call. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
  readonly output: O;
  /** Period in ms at which the dispatcher starts it, once however many dispatchers run. */
  readonly everyMs?: number;
  /** Maximum ms of `gather` before it is aborted; 30 000 if absent. */
  readonly gatherMs?: number;
  /** For an operation that must wait before it reads. */
  readonly reads?: ReadTerms;
  /** For a read whose caller can wait until the answer changes. */
  readonly wait?: ReadWait<I, O>;
  /** For a call that can be paid for by x402. */
  readonly paid?: PaidCall<I, O>;
  /** Reads (and opens) the data for `gather`, and refuses early. Its result is never stored. */
  prepare?(tx: Tx, input: Static<I>): Promise<P>;
  /** Gathers facts from outside. May run more than once; must not touch the database. */
  gather?(gateways: Gateways, input: Static<I>, call: GatherCall, prepared: P): Promise<F>;
  /**
   * Decides and records, in one transaction. Must not touch the network. A thrown refusal undoes
   * all writes; a refusal that a job returns keeps them.
   */
  handle(tx: Tx, input: Static<I>, facts: F): Promise<HandleResult<O>>;
  /** For a call that keeps or starts something which must end with it. */
  readonly ends?: JobEnds<I>;
  /** For jobs that are handled together. */
  readonly batch?: BatchHandling;
  /** For writes that are handled together. */
  readonly writeBatch?: WriteBatch<I, O>;
}

type HandleResult<O extends TSchema> = Static<O> | Refusal | typeof WAIT_FOR_CHILD_JOBS;

/** An operation without its types, as the bindings see it. */
// oxlint-disable-next-line typescript/no-explicit-any -- the one exception: they vary together
export type AnyOperation = Operation<any, any, any, any>;

export function operation<I extends TObject, O extends TSchema, P = undefined, F = undefined>(
  definition: Operation<I, O, P, F>,
): Operation<I, O, P, F> {
  return Object.freeze(definition);
}
