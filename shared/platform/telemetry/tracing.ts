/**
 * Tracing of this process. `open_telemetry.ts` loads the packages of OpenTelemetry, and that only
 * where OTEL_EXPORTER_OTLP_ENDPOINT is set. Elsewhere `tracing()` is undefined, and the check of
 * that is all that a call costs.
 */
export interface Tracing {
  /** Starts a span; the caller ends it. It is a child of the active span, unless it says more. */
  start(name: string, kind: SpanKind, options?: SpanOptions): Span;
  /** Runs work with this span as the active one; undefined: without any. */
  within<T>(span: Span | undefined, work: () => T): T;
  /** The active span, if it is exported. */
  active(): Span | undefined;
  /** The ids of the active span, for the log. */
  ids(): LogIds | undefined;
}

/** Undefined: OTEL_EXPORTER_OTLP_ENDPOINT is not set. */
export const tracing = (): Tracing | undefined => current;
let current: Tracing | undefined;

/** Turns tracing on, when a process starts, or off. */
export function setTracing(opened: Tracing | undefined): void {
  current = opened;
}

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

/** Values that only our own code chooses: nothing of an input, an answer, a URL or a parameter. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

interface SpanOptions {
  readonly attributes?: Attributes;
  /** Parent in another process. */
  readonly parent?: TraceParent | undefined;
  /** Spans that did the same work for other traces. */
  readonly links?: readonly Span[];
  /** Time of its start in ms since 1970. Absent: now. */
  readonly startedAt?: number;
}

export interface Span {
  readonly ids: LogIds;
  readonly isSampled: boolean;
  rename(name: string): void;
  set(name: string, value: string | number | boolean): void;
  /** Notes a fault, by the name of its kind: its message may hold what must not leave. */
  fail(kind: string): void;
  end(): void;
}

/** The fields of a log line. */
export interface LogIds {
  readonly trace_id: string;
  readonly span_id: string;
}

/** A span of another process. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  /** Whether a caller names it, who may ask for more than we want to trace. */
  readonly isOfCaller: boolean;
}

/** Runs work in a span, which ends with it. */
export async function inSpan<T>(
  traces: Tracing,
  span: Span,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  try {
    return await traces.within(span, () => work(span));
  } catch (error) {
    span.fail(kindOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Ends a span with the result of `work`, which is returned as it is, a promise or not. */
export function spanOf<T>(span: Span, work: () => T): T {
  const failed = (error: unknown) => {
    span.fail(kindOf(error));
    span.end();
  };
  try {
    const result = work();
    if (result instanceof Promise) result.then(() => span.end(), failed);
    else span.end();
    return result;
  } catch (error) {
    failed(error);
    throw error;
  }
}

/** The code of an error or its class, never its message. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : error.constructor.name;
}
