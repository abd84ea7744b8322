import type { IncomingCall } from '../../kernel/call.ts';
import type { Call } from '../../kernel/tx.ts';
import type { ValidCall } from '../../jobs/accept.ts';
import type { JobAnswer } from '../../kernel/terms/job_answer.ts';
import type { Waiters } from '../../jobs/waiters.ts';
import { holderOf } from '../../kernel/call.ts';
import type { Permit } from '../../platform/limiter.ts';
import type { Context } from '../context.ts';

/** The parts of a process that an invocation needs. */
export interface Invoking {
  readonly context: Context;
  readonly waiters: Waiters;
}

/** A valid call that holds a permit. */
export interface Invocation
  extends ValidCall, Pick<IncomingCall, 'token' | 'prove' | 'onRateLimit'> {
  readonly permit: Permit;
}

export interface KeyedInvocation extends Invocation {
  readonly key: string;
}

export function factsOf({ context }: Invoking, call: Invocation, key: string): Call {
  const { caller, requestId, address, onRateLimit } = call;
  return { caller, key, now: context.clock.now(), requestId, address, onRateLimit };
}

export function waitFor(
  { waiters }: Invoking,
  id: string,
  call: Invocation,
  untilEnd = false,
): Promise<JobAnswer | null> {
  return waiters.waitFor(id, { untilEnd, holder: holderOf(call), ...call }).answer;
}
