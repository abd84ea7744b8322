/** The job that a caller waits for. */
export interface AwaitedJob {
  readonly jobId: string;
  /** Wait for the end only: the caller knows that the job is deferred. */
  readonly untilEnd?: boolean | undefined;
}

/** The next event for a reader after a position, to wait for. */
export interface NextEvent {
  readonly reader: EventReader;
  /** Id of an event. */
  readonly after: number;
}

/** A reader of events: an agent sees its own, a root those of its whole tree. */
export interface EventReader {
  readonly agentId: number;
  readonly rootId: number;
  /** Only events of this type (`order.created`), or of all types with this prefix (`order.*`). */
  readonly type?: string | undefined;
  /** Only events of this object. */
  readonly object?: { readonly kind: string; readonly id: number } | undefined;
}
