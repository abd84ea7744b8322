import type { Schemas } from './operations.ts';

/** The marketplace refused: `refusal.error` is the code to act on. The money has not moved. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly operation: string;
  readonly status: number;
  readonly refusal: Schemas['Error'];

  constructor(operation: string, status: number, refusal: Schemas['Error']) {
    super(`${operation}: ${refusal.error}: ${refusal.message}`);
    this.operation = operation;
    this.status = status;
    this.refusal = refusal;
  }

  get code(): Schemas['ErrorCode'] {
    return this.refusal.error;
  }
}

/** The call was accepted and has not ended: `market.resume(operation, jobId)` waits on. */
export class StillPending extends Error {
  override readonly name = 'StillPending';
  readonly operation: string;
  readonly jobId: string;

  constructor(operation: string, jobId: string) {
    super(`${operation} was accepted and is not finished yet: job ${jobId}`);
    this.operation = operation;
    this.jobId = jobId;
  }
}

/** An owner has to approve the call first. Nothing was paid; stock is kept until then. */
export class ApprovalRequired extends Error {
  override readonly name = 'ApprovalRequired';
  readonly operation: string;
  readonly jobId: string;
  readonly approvalId: number;
  readonly expiresAt: string;

  constructor(operation: string, asked: Schemas['ApprovalRequired']) {
    super(`${operation} waits for approval ${asked.approval_id} until ${asked.expires_at}`);
    this.operation = operation;
    this.jobId = jobOf(asked.poll);
    this.approvalId = asked.approval_id;
    this.expiresAt = asked.expires_at;
  }
}

/**
 * No answer came in any attempt, so the call may have had its effect. Repeating it with this
 * `idempotencyKey` has the effect once, and returns the outcome.
 */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly operation: string;
  readonly idempotencyKey: string | undefined;

  constructor(operation: string, idempotencyKey: string | undefined, cause: unknown) {
    super(`${operation}: the marketplace did not answer`, { cause });
    this.operation = operation;
    this.idempotencyKey = idempotencyKey;
  }
}

/** The id of the job in the path `poll`. */
export const jobOf = (poll: string): string => poll.slice(poll.lastIndexOf('/') + 1);
