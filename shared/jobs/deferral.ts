import type { AnyOperation, Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';

/** A call that is about to be deferred, as far as what it waits for depends on it. */
export interface DeferredCall {
  readonly operation: string;
  readonly input: object;
}

/** What a deferred call is answered, and so are its repeats. */
export interface DeferralBody {
  readonly status: 'approval_required';
  readonly poll: string;
}

/** What `record` has recorded. */
export interface RecordedDeferral {
  readonly body: DeferralBody;
  /** An equal call waits already, and it is that one's body: this call ends with it. */
  readonly isRepeat: boolean;
}

/**
 * The third outcome beside result and refusal, for a call that somebody else must allow first. It
 * is thrown like a refusal, so nothing of what the call did is left. Then `record` says, in a
 * transaction of its own, who has to decide, and the caller is answered 202. The call stays
 * recorded (sealed if it is a write, whose input may hold secrets) until `resumeDeferredJob` has a
 * worker handle it again, with all checks, or it is refused.
 *
 * Where nothing can wait, in a child job or for a connection, it is the refusal that it is made of.
 */
export class Deferral extends Refusal {
  readonly record: (tx: Tx, call: DeferredCall) => Promise<RecordedDeferral>;

  constructor(refusal: Refusal, record: Deferral['record']) {
    super(refusal.code, refusal.message, refusal.details);
    this.record = record;
  }
}

/** Whether calls of it may be deferred: then it says how such a call may end. */
export const isDeferrable = ({ refusals }: AnyOperation): boolean =>
  refusals?.includes('approval_denied') ?? false;
