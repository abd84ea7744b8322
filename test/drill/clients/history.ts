/** A reply, as its client received it. */
export interface ReceivedReply {
  readonly agentId: number;
  readonly operation: string;
  /** The Idempotency-Key of the call. */
  readonly key?: string | undefined;
  /** The job that the reply named, or that was polled. */
  readonly jobId?: string | undefined;
  readonly status: number;
  /** The body, byte for byte. */
  readonly text: string;
}

/** One call of a client, with all its repeats. */
export interface Span {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** What all clients of a drill received, and the violations that they found themselves. */
export interface History {
  readonly replies: ReceivedReply[];
  readonly spans: Span[];
  readonly violations: string[];
  /** Calls that moved money, by operation. */
  readonly performed: Record<string, number>;
  /** The order whose vault contained each unit of a serial pool. */
  readonly units: Map<string, number>;
}

export const newHistory = (): History => ({
  replies: [],
  spans: [],
  violations: [],
  performed: {},
  units: new Map(),
});
