import type { BadField } from '../../kernel/oversize.ts';
import type { ResultCheck } from './result_check.ts';

/**
 * Maximum time an operation waits for its turn and an answer, for its `gatherMs`: a job whose
 * worker has died is restarted after this time.
 */
export const VERIFICATION_MS_MAX = 8_000;

/**
 * Judges results by the checks of agents in isolation, so that neither a check nor a result can
 * block a process or exhaust its memory. `tree` is the id of the caller's root, because trees take
 * turns. Rejects with the refusal `queue_overloaded` if too many calls wait.
 */
export interface VerificationGateway {
  /**
   * Finds the faults of a check, at most 20; empty: it can be used. Pointers start at
   * `/json_schema` or `/assertions`.
   */
  faultsOf(check: ResultCheck, call: { readonly tree: number }): Promise<readonly BadField[]>;
  /** Judges the text of a result. It fails a check that takes too long. */
  judge(check: ResultCheck, result: string, call: { readonly tree: number }): Promise<Verdict>;
  /** Judges texts of results up to the first that fails, in the time of one. */
  findFailing(
    check: ResultCheck,
    results: readonly string[],
    call: { readonly tree: number },
  ): Promise<FailingResult | undefined>;
}

/** The first of several results that fails, and why. */
export interface FailingResult {
  readonly result: string;
  readonly failures: readonly Failure[];
}

/** `failures` is empty if the result passes, and has at most 10. */
export interface Verdict {
  readonly passes: boolean;
  readonly failures: readonly Failure[];
}

/** A part of a result that fails. Every field may contain text of the author of the check. */
export interface Failure {
  /** A JSON pointer into the result; empty: the whole. */
  readonly pointer: string;
  readonly message: string;
  /** A JSON pointer to the rule in the check. */
  readonly rule: string;
}
