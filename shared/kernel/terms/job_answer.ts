/** The answer of a job: its end, or its deferral as first answered. */
export interface JobAnswer {
  readonly id: string;
  /** pending: the job is deferred, and this is the body of the 202. */
  readonly status: 'pending' | 'complete' | 'failed';
  readonly httpStatus: number;
  /** The body, byte for byte. */
  readonly answer: string;
  /** Whether the key of the call is free again, because a retry may succeed later. */
  readonly freesKey?: boolean;
}

/** A recorded call that is to be ended. */
export interface RecordedCall {
  readonly id: string;
  readonly operation: string;
  readonly requestId: string;
}
