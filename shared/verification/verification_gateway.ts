import type { BadField } from '../kernel/oversize.ts';
import type { ResultCheck } from './result_check.ts';

/**
 * How long an operation may wait for its turn and an answer, for its `gatherMs`: a job whose worker
 * has died is begun again after as long.
 */
export const VERIFICATION_MS_MAX = 8_000;

/**
 * Judges results by the checks of agents, apart from everything else: neither a check nor a result
 * can hold a process up or take its memory. `tree` is who asks (the id of a root), because trees
 * take turns. Rejects with the refusal `queue_overloaded` where too many wait.
 */
export interface VerificationGateway {
  /**
   * What is wrong with a check before anything is judged by it, at most 20; empty: it can be used.
   * Pointers start at `/json_schema` or `/assertions`.
   */
  faultsOf(check: ResultCheck, call: { readonly tree: number }): Promise<readonly BadField[]>;
  /** Whether the text of a result passes. A check that takes too long is not passed. */
  judge(check: ResultCheck, result: string, call: { readonly tree: number }): Promise<Verdict>;
}

/** `failures` is empty if the result passes, and has at most 10. */
export interface Verdict {
  readonly passes: boolean;
  readonly failures: readonly Failure[];
}

/** What of a result does not pass. All of it may hold words of whoever wrote the check. */
export interface Failure {
  /** A JSON pointer into the result; empty: the whole. */
  readonly pointer: string;
  readonly message: string;
  /** A JSON pointer into the check: by which rule. */
  readonly rule: string;
}
