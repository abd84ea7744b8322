import type { AnyOperation } from '../shared/kernel/operation.ts';
import { Refusal } from '../shared/kernel/refusal.ts';
import { parse } from '../shared/kernel/schema.ts';
import { cleaned } from '../shared/kernel/text.ts';
import type { JobRow } from './job_row.ts';

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
