import type { openAcceptance } from '../../jobs/accept.ts';
import * as jobs from '../../jobs/jobs.ts';
import type { Answer } from '../../kernel/call.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import type { Invocation, Invoking } from './invocation.ts';
import { answerOf, hinted } from './recorded_answers.ts';
import { replay } from './replay.ts';
import { keyIsTaken } from './write.ts';

const ATTEMPTS_MAX = 5;

/** Records a job and waits for its answer as long as its caller wants to. */
export async function runJob(
  invoking: Invoking,
  accept: ReturnType<typeof openAcceptance>,
  op: AnyOperation,
  call: Invocation,
): Promise<Answer> {
  const { context } = invoking;
  const { caller, key } = call;
  call.permit.release(); // A job has its own permit.
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const { job, waiter } = await accept(op, call);
    if (job) return answerOf(job.id, await hinted(context, op, call, waiter.answer), op);

    const agentId = caller.agentId;
    const recorded = await jobs.findByKey(context.database, { agentId, key: key! });
    if (recorded) return replay(invoking, op, { ...call, key: key! }, recorded);
    // The first call has just ended in a refusal that frees its key: use the key again.
  }
  throw keyIsTaken();
}
