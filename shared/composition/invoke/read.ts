import { authenticate } from '../../domains/agents/authenticate.ts';
import { holderOf } from '../../kernel/call.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { perform } from '../../performing/perform.ts';
import { withNamedCursor } from './list_cursor.ts';
import { factsOf, waitFor, type Invocation, type Invoking } from './invocation.ts';

/** Answers a read; one that its caller wants to wait for, when what it shows has changed. */
export async function read(
  invoking: Invoking,
  op: AnyOperation,
  call: Invocation,
): Promise<string> {
  const { context } = invoking;
  const { input, requestId, waitMs, permit } = call;
  const attempt = () => perform(context, op, input, factsOf(invoking, call, requestId));
  const { costlyReads } = context.limiters;
  async function look() {
    await settleEvents(invoking, op);
    return op.reads?.costly ? costlyReads.run(holderOf(call), attempt) : attempt();
  }
  const { body } = (await look())!;
  const change = waitMs > 0 && op.wait?.awaits(body, call);
  if (!change) return JSON.stringify(withNamedCursor(op, input, body));
  permit.release();
  if ('jobId' in change) await waitFor(invoking, change.jobId, call, change.untilEnd);
  else await context.feed.waitFor(change, { holder: holderOf(call), ...call });
  await authenticate(context, call.token, op, call); // Its key may be revoked by now.
  return JSON.stringify(withNamedCursor(op, input, (await look())!.body));
}

/** Lets an operation see every event that was committed before its call. */
export async function settleEvents({ context }: Invoking, op: AnyOperation): Promise<void> {
  if (op.reads?.allEvents) await context.feed.settle();
}
