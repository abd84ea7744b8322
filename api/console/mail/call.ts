import type { HttpContext } from '../../http/routes.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { newJobId } from '../../../shared/jobs/jobs.ts';
import type { Caller } from '../../../shared/kernel/caller.ts';
import type { Tx } from '../../../shared/kernel/tx.ts';
import { inTransaction } from '../../../shared/performing/transaction.ts';

/** Runs a change of the console in a transaction that may start jobs, as mails are. */
export function changeAs<T>(
  context: Context,
  ctx: HttpContext,
  caller: Caller,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { requestId, address } = ctx.state;
  const now = context.clock.now();
  // The form has no key of its own; a job of another request must not be taken for this one's.
  const key = newJobId(now);
  return inTransaction(context, { caller, now, key, requestId, address }, work);
}
