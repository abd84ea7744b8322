import type { Random } from '../random.ts';

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

/** One call of a client that was answered, with all its repeats. */
export interface Span {
  readonly operation: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Outcomes of the calls of one operation. */
export interface Counts {
  calls: number;
  /** Calls that got an answer, at once or by a repeat. */
  answered: number;
  /** Answers that were no refusal. */
  performed: number;
  /** Calls of which the client did not learn at first whether they happened. */
  doubtful: number;
  /** Number of those whose outcome it knows now. */
  settled: number;
}

/** Answers that all clients of a drill received, and the violations that they found themselves. */
export interface History {
  readonly replies: ReceivedReply[];
  readonly spans: Span[];
  readonly violations: string[];
  /** By operation. */
  readonly counts: Map<string, Counts>;
  /** Answered calls by interface. */
  readonly interfaces: Map<string, number>;
  /**
   * Calls of which each sending was answered: `<agent> <key>`. Nobody repeats them, and none is on
   * its way: they may be forgotten.
   */
  readonly ended: string[];
}

export const newHistory = (): History => ({
  replies: [],
  spans: [],
  violations: [],
  counts: new Map(),
  interfaces: new Map(),
  ended: [],
});

export function countsOf({ counts }: History, operation: string): Counts {
  let found = counts.get(operation);
  if (!found) {
    found = { calls: 0, answered: 0, performed: 0, doubtful: 0, settled: 0 };
    counts.set(operation, found);
  }
  return found;
}

/** An answer to one of these agents, the next after a random one; undefined: there is none. */
export function answerTo(
  agents: ReadonlySet<number>,
  operation: string,
  { replies }: History,
  random: Random,
): ReceivedReply | undefined {
  const first = random.below(replies.length + 1);
  const isOne = (reply: ReceivedReply) =>
    reply.operation === operation && agents.has(reply.agentId) && reply.status === 200;
  return replies.slice(first).find(isOne) ?? replies.slice(0, first).find(isOne);
}
