/** What a client was told, as it was told. */
export interface Heard {
  readonly agentId: number;
  readonly operation: string;
  /** The Idempotency-Key that the call had. */
  readonly key?: string | undefined;
  /** The job that the answer named, or was polled from. */
  readonly jobId?: string | undefined;
  readonly status: number;
  /** The body, byte for byte. */
  readonly text: string;
}

/** One call of a client's, with all its repeats. */
export interface Span {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** What all clients of a drill heard, and what they found wrong themselves. */
export interface History {
  readonly heard: Heard[];
  readonly spans: Span[];
  readonly violations: string[];
  /** Calls that moved money, by operation. */
  readonly moved: Record<string, number>;
  /** Which order's vault each unit of a serial pool was found in. */
  readonly units: Map<string, number>;
}

export const newHistory = (): History => ({
  heard: [],
  spans: [],
  violations: [],
  moved: {},
  units: new Map(),
});
