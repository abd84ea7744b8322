import type { DataSource, EntityManager } from 'typeorm';

import type { JobAnswer } from './job_answer.ts';
import type { Static, TObject, TSchema } from '../schema.ts';
import type { Tx } from '../tx.ts';
import type { Cost, CostRange } from './cost.ts';
import type { AnswerForm } from './answer_form.ts';
import type { Dialect } from './dialect.ts';
import type { KeylessSale } from './keyless_sale.ts';
import type { Caller } from '../caller.ts';
import type { Streaming } from '../paging.ts';
import type { AwaitedJob, NextEvent } from './awaited.ts';
import type { RefusalCode } from '../refusal.ts';

/**
 * Groups of fields that few operations have. Each is one optional field of `Operation`.
 */

/** Handling of whole batches. Only for operations without `gather`. */
export interface BatchHandling {
  /**
   * Handles a whole batch in one statement, from the pending rows to their answers. It must not
   * touch rows that it leaves out of its answer: these are handled one by one by `handle`.
   */
  handleMany(db: DataSource, jobIds: readonly string[]): Promise<readonly JobAnswer[]>;
}

/** Handling of calls of a write that come together. Only for writes that `handle` alone decides. */
export interface WriteBatch<I extends TObject, O extends TSchema> {
  /**
   * Handles calls (up to 64) in one transaction and few statements. Returns the result of each.
   * Undefined: it has touched nothing for this call, which `handle` performs or refuses.
   */
  handleMany(
    tx: Pick<Tx, 'db' | 'config'>,
    calls: readonly BatchedCall<I>[],
  ): Promise<readonly (Static<O> | undefined)[]>;
}

/** A call in a batch of writes. */
export interface BatchedCall<I extends TObject> extends Pick<Tx, 'caller' | 'now'> {
  readonly input: Static<I>;
}

/**
 * The agents on which an operation of access owner acts. Without this group it acts on the whole
 * tree, so that only its root may call it.
 */
export interface OwnerRule<I extends TObject> {
  /**
   * The input field that names the agent acted on. The caller must be an agent above that one, or
   * the root of its tree (performing/assert_owns.ts).
   */
  readonly ownerOf?: string & keyof I['properties'];
  /** It acts only on agents below its caller, so a child may call it too. */
  readonly actsBelow?: true;
}

/** Payment for the call itself, by x402. */
export interface PaidCall<I extends TObject, O extends TSchema> {
  /** The present price. Refuses a call that no payment would make succeed. */
  costOf(tx: Tx, input: Static<I>): Promise<Cost>;
  /** Minimum and maximum price. Absent: any amount. */
  readonly costs?: CostRange;
  /** The sale to callers without a key. Absent: only callers with a key can pay. */
  readonly soldWithoutKey?: KeylessSale<O>;
}

/** Waiting for a change of the answer of a read. */
export interface ReadWait<I extends TObject, O extends TSchema> {
  /**
   * The job or event that would change this answer, so that a caller can wait for its end or
   * occurrence.
   */
  awaits(
    result: Static<O>,
    call: { readonly caller: Caller; readonly input: Static<I> },
  ): AwaitedJob | NextEvent | undefined;
  /** The form of the read as a stream of server-sent events over REST. */
  readonly stream?: Streaming<I, O>;
}

/** Storage of the answer, to answer a repeat of its call. */
export interface StoredAnswer<O extends TSchema> {
  /** The answer is secret and never stored, so an Idempotency-Key is ignored. */
  readonly secret?: true;
  /** The part of a write's result that is stored: all but its secrets. */
  readonly redact?: (result: Static<O>) => object;
  /** The full result again, from its stored part. */
  readonly rehydrate?: (db: EntityManager, stored: object) => Promise<Static<O>>;
  /**
   * For a job: a hint added to the answer of a call without a key that may be an accidental repeat.
   * It is not stored.
   */
  readonly repeatHint?: (
    db: DataSource,
    caller: Caller,
    result: Static<O>,
  ) => Promise<object | undefined>;
}

/** The ends of a call that `handle` does not see. */
export interface JobEnds<I extends TObject> {
  /**
   * Decides the end of a job that failed in all its attempts; `handle` is not called again. fail
   * (the default): it is refused with `internal_error`, and resources that it held can be returned
   * here. hold: an outside request may have succeeded, so the job stays pending for an operator,
   * and no worker takes it.
   */
  onGiveUp?(tx: Tx, input: Static<I>): Promise<'fail' | 'hold'>;
  /**
   * For an operation that may wait for an owner: returns resources that were kept for the call, in
   * the transaction that refuses it, by the owner's decision or by a later check.
   */
  onRefuse?(tx: Tx, job: { readonly id: string; readonly code: RefusalCode }): Promise<void>;
}

/** How interfaces offer the operation. Without this group: by its name as a tool, and by `rest`. */
export interface Bindings<I extends TObject> {
  /** A second path of REST. */
  readonly alias?: string;
  /**
   * False: offered by REST only, not as a tool. 'by_name': a tool that is found, or chosen by its
   * group or its name, and not on the list of all, which may have 128 for some clients.
   */
  readonly tool?: false | 'by_name';
  /** The input over REST, if its names or limits differ from those of the tool. */
  readonly dialect?: Dialect<I>;
  /**
   * Forms of its answers over REST beside JSON, by name. A caller asks for one by Accept, or by
   * `format` in the query, a field that the dialect declares.
   */
  readonly forms?: Readonly<Record<string, AnswerForm>>;
}

/** Conditions under which an operation reads. */
export interface ReadTerms {
  /** For a read with much work for PostgreSQL: a process runs few of them at once, by turns. */
  readonly costly?: true;
  /** Reads events, all that were committed before (events/event_feed.ts). Not for a job. */
  readonly allEvents?: true;
  /**
   * The answer may be some seconds old, so a standby may give it. Not for what callers read to see
   * their own writes, nor for keys and money.
   */
  readonly stale?: true;
  /**
   * The field with the time up to which the answer goes. What ended over a minute ago does not
   * change, so a standby may give it.
   */
  readonly endsAt?: string;
}

/** The changes that a call makes. */
export interface Effects<I extends TObject> {
  /** Takes money from the wallet, or changes or ends something irreversibly. */
  readonly destructive?: true;
  /** The first field of this name in the answer is the amount taken from the wallet, in USD. */
  readonly takes?: string;
  /**
   * Facts for `handle` in a dry run, which asks nobody, instead of those of `gather`. Absent, if
   * the operation gathers: a dry run does what `prepare` does, and then tells the cost at most.
   */
  readonly assumedFacts?: object;
  /** A repeat with the same input has no further effect. */
  readonly idempotent?: true;
  /**
   * The kind of object that an operator changes by it, for the audit log, and the input field that
   * names the object (absent: the whole platform).
   */
  readonly actsOn?: { readonly kind: string; readonly field?: string & keyof I['properties'] };
}
