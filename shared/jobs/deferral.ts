import type { AnyOperation } from '../kernel/operation.ts';
import type { Tx } from '../kernel/tx.ts';
import { Refusal } from '../kernel/refusal.ts';

/** The part of a call to be deferred that the decision depends on. */
export interface DeferredCall {
  readonly operation: string;
  readonly input: object;
}

/** The answer to a deferred call and to its repeats. */
export interface DeferralBody {
  readonly status: 'approval_required';
  readonly poll: string;
}

/** The result of `record`. */
export interface RecordedDeferral {
  readonly body: DeferralBody;
  /** An equal call waits already: this call ends with the body of that one. */
  readonly isRepeat: boolean;
}

/**
 * The third outcome besides result and refusal, for a call that somebody else must allow first. It
 * is thrown like a refusal, so the call's transaction is rolled back. Then `record` records, in a
 * transaction of its own, who has to decide, and the caller is answered 202. The call stays
 * recorded (sealed if it is a write, whose input may hold secrets) until it is refused, or until
 * `resumeDeferredJob` makes a worker handle it again, with all checks.
 *
 * Where a call cannot wait, in a child job or for a connection, it acts as the refusal it extends.
 */
export class Deferral extends Refusal {
  readonly record: (tx: Tx, call: DeferredCall) => Promise<RecordedDeferral>;

  constructor(refusal: Refusal, record: Deferral['record']) {
    super(refusal.code, refusal.message, refusal.details);
    this.record = record;
  }
}

/** Whether calls may be deferred: such an operation lists the refusals of a deferred call. */
export const isDeferrable = ({ refusals }: AnyOperation): boolean =>
  refusals?.includes('approval_denied') ?? false;
