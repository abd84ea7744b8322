import { openInput } from '../shared/jobs/deferred.ts';
import { inputVersion } from '../shared/jobs/input_version.ts';
import type { Batch } from '../shared/jobs/queue.ts';
import { catalog } from '../shared/composition/catalog.ts';
import type { Context } from '../shared/composition/context.ts';
import { PLATFORM, type Caller } from '../shared/kernel/caller.ts';
import type { AnyOperation } from '../shared/kernel/operation.ts';
import { Refusal } from '../shared/kernel/refusal.ts';
import { parse } from '../shared/kernel/schema.ts';
import { cleaned } from '../shared/kernel/text.ts';
import type { Call } from '../shared/kernel/tx.ts';
import { column, jsonOf, namesOf, nullable, rows, type Row } from '../shared/platform/rows.ts';
import { traceOfRow } from '../shared/platform/telemetry/traceparent.ts';
import type { TraceParent } from '../shared/platform/telemetry/tracing.ts';

/** The row of a job that a worker begins. */
export interface JobRow {
  readonly id: string;
  readonly operation: string;
  readonly caller: Caller;
  readonly input: object;
  readonly requestId: string;
  /** Attempts counted so far, with this one. */
  readonly attempts: number;
  /** Attempts counted before this one. */
  readonly attemptsBefore: number;
  /** The span of the call. */
  readonly trace: TraceParent | undefined;
}

export const callOf = ({ clock }: Context, { id, caller, requestId }: JobRow): Call => ({
  caller,
  key: id,
  now: clock.now(),
  requestId,
});

export function operationOf({ id, operation }: { id: string; operation: string }): AnyOperation {
  const op = catalog.get(operation);
  if (!op) throw new Error(`this worker does not know ${operation}, which job ${id} asks for`);
  return op;
}

export const FOUND = {
  id: column.text,
  operation: column.text,
  agent_id: column.id,
  root_id: column.id,
  input: jsonOf<object>(),
  sealed_input: nullable(column.bytes),
  request_id: column.text,
  attempts: column.int,
  operator: nullable(column.text),
  trace: nullable(column.bytes),
};

export function jobOf({ secrets }: Context, found: Row<typeof FOUND>): JobRow {
  const { id, operation, agent_id: agentId, root_id: rootId, sealed_input: sealed } = found;
  const operator = found.operator ?? undefined;
  const input = sealed ? openInput(secrets, { id, agentId, sealed }) : found.input;
  // Scopes of the key were checked when the call was accepted.
  const caller = { ...PLATFORM, agentId, rootId, ...(operator && { operator }) };
  const { attempts } = found;
  const common = { id, operation, caller, input, requestId: found.request_id };
  const trace = traceOfRow(found.trace);
  return { ...common, attempts, attemptsBefore: attempts, trace };
}

/**
 * The input of a job, as its operation reads it now. Another version may have recorded the call,
 * and it may have waited for days: for an owner, or while workers were down. One that this version
 * would not take is refused in words for its caller. Not where a worker may have asked an outside
 * system already: what has left us is not forgotten. Nor a job that calls cannot start: both its
 * ends are ours, and a release reads what the one before wrote.
 */
export function recordedInput(op: AnyOperation, { input }: Pick<JobRow, 'input'>): object {
  if (op.rest === undefined || op.gather) return cleaned(op.input, input) as object;
  try {
    return parse(op.input, input) as object;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const why = 'Another version of the marketplace took this call, and this one does not';
    throw new Refusal(error.code, `${why}: ${error.message} Call again.`, error.details);
  }
}

/**
 * The jobs of a batch whose inputs this version takes. The statement that performs them together
 * does not judge inputs. Nothing is read of calls that a process has just recorded which takes the
 * same: all purchases, but during an upgrade and after an owner has approved.
 */
export async function takenOf(
  context: Context,
  op: AnyOperation,
  { ids, inputVersion: version }: Pick<Batch, 'ids' | 'inputVersion'>,
): Promise<readonly string[]> {
  if (version === inputVersion(op)) return ids;
  const found = await rows(
    context.database,
    FOUND,
    `select ${namesOf(FOUND)} from job where id = any ($1) and status = 'pending'`,
    [ids],
  );
  const refused = new Set(found.filter((one) => !isTaken(context, op, one)).map(({ id }) => id));
  return ids.filter((id) => !refused.has(id));
}

function isTaken(context: Context, op: AnyOperation, found: Row<typeof FOUND>): boolean {
  try {
    recordedInput(op, jobOf(context, found));
    return true;
  } catch {
    return false; // Performed alone, it is refused, or fails, with the reason.
  }
}
