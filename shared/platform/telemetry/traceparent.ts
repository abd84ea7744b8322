import type { TraceParent, Tracing } from './tracing.ts';

/**
 * Reads the header `traceparent` of a caller as W3C Trace Context, level 1, says. Undefined: there
 * is none, or it is malformed, and a new trace begins. A later version may add fields at its end.
 */
export function parseTraceparent(header: string | undefined): TraceParent | undefined {
  if (header === undefined || header.length > CHARS_MAX) return undefined;
  const [, version, traceId, spanId, flags, more] = FORM.exec(header) ?? [];
  if (!version || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return undefined;
  const isSampled = (Number.parseInt(flags!, 16) & 1) === 1;
  return { traceId: traceId!, spanId: spanId!, isSampled, isOfCaller: true };
}

const FORM = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const CHARS_MAX = 512;

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

/** The active span as a job row holds it; undefined: it is not exported, so no job is either. */
export function rowOfTrace(traces: Tracing | undefined): Buffer | undefined {
  const ids = traces?.active()?.ids;
  return ids && Buffer.from(ids.trace_id + ids.span_id, 'hex');
}

/** The parent of the spans of a job. Undefined: the call of the job is not exported. */
export function traceOfRow(bytes: Buffer | null): TraceParent | undefined {
  if (bytes?.length !== TRACE_BYTES + SPAN_BYTES) return undefined;
  return {
    traceId: bytes.toString('hex', 0, TRACE_BYTES),
    spanId: bytes.toString('hex', TRACE_BYTES),
    isSampled: true,
    isOfCaller: false,
  };
}
