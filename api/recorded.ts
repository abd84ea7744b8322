import type { Caller } from '../shared/kernel/caller.ts';
import type { Answer, Invoke } from '../shared/kernel/call.ts';
import type { AnyOperation } from '../shared/kernel/operation.ts';
import { refusalOf } from '../shared/kernel/refusal.ts';
import type { Context } from '../shared/composition/context.ts';
import type { RequestRow } from '../shared/domains/requests/request_row.ts';
import { takenBy } from '../shared/domains/requests/taken_by.ts';
import { SenderDisconnected } from './http/request.ts';

/** Notes the calls by keys of agents, with their answers, for the log that their owners see. */
export const recorded =
  (
    { requestLog }: Pick<Context, 'requestLog'>,
    invoke: Invoke,
    via: RequestRow['interface'],
  ): Invoke =>
  async (op, call) => {
    const at = Date.now();
    const startedAt = performance.now();
    let caller: Caller | undefined;
    const note = (outcome: Pick<RequestRow, 'status' | 'code' | 'error'>, answer?: Answer) => {
      if (!caller?.keyId || caller.operator !== undefined) return;
      const { status, code, error } = outcome;
      requestLog.note({
        agentId: caller.agentId,
        rootId: caller.rootId,
        interface: via,
        operation: op.name,
        status,
        code,
        at,
        ms: performance.now() - startedAt,
        calls: 1,
        cost: answer ? costOf(op, answer) : null,
        requestId: call.requestId,
        jobId: answer?.jobId ?? null,
        error,
      });
    };
    try {
      const answer = await invoke(op, {
        ...call,
        onCaller(known) {
          caller = known;
          call.onCaller?.(known);
        },
      });
      const { status, body } = answer;
      if (status < 400) note({ status, code: null, error: null }, answer);
      else note({ status, code: codeIn(body), error: body }, answer);
      return answer;
    } catch (error) {
      if (!(error instanceof SenderDisconnected)) {
        const refusal = refusalOf(error);
        note({ status: refusal.status, code: refusal.code, error: refusal });
      }
      throw error;
    }
  };

/** A repeat takes nothing again, and a refusal nothing at all. */
function costOf(
  { effects }: AnyOperation,
  { status, body, replayed, isShared, isDryRun }: Answer,
): RequestRow['cost'] {
  const field = effects?.takes;
  if (field === undefined) return null;
  if (replayed || isShared || isDryRun) return 0n;
  // Not known yet: `ended_jobs.ts` looks it up.
  if (status === 202) return null;
  return status === 200 ? takenBy(body, field) : 0n;
}

/** The code of a refusal that a job has ended with. */
const codeIn = (body: string): string | null =>
  /^\{"success": ?false, ?"error": ?"(\w+)"/.exec(body)?.[1] ?? null;
