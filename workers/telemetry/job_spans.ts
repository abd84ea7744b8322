import type { Context } from '../../shared/composition/context.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { column, rows } from '../../shared/platform/rows.ts';
import { traceOfRow } from '../../shared/platform/telemetry/traceparent.ts';
import {
  inSpan,
  kindOf,
  tracing,
  type Attributes,
  type Span,
  type TraceParent,
  type Tracing,
} from '../../shared/platform/telemetry/tracing.ts';

/** An attempt of a job as a span of its call. A job without a traced call has none. */
export function inJobSpan<T>(
  op: AnyOperation,
  { id, attempts, trace }: { id: string; attempts: number; trace: TraceParent | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const traces = tracing();
  if (!traces) return work();
  if (!trace) return traces.within(undefined, work);
  const attributes = { ...attributesOf(op, id), 'market.job.attempts': attempts };
  return inSpan(traces, startSpan(traces, op, trace, { attributes }), work);
}

/** Notes the fault of an attempt; the job gets another. */
export function failActiveSpan(error: unknown): void {
  tracing()?.active()?.fail(kindOf(error));
}

/**
 * A statement for many jobs as a span of each of their calls. The statement is in the trace of the
 * first; the spans of the others link to it.
 */
export async function inBatchSpans<T>(
  { database }: Pick<Context, 'database'>,
  op: AnyOperation,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const traces = tracing();
  if (!traces) return work();
  const startedAt = Date.now();
  const found = await traces.within(undefined, () =>
    rows(
      database,
      { id: column.text, trace: column.bytes },
      'select id, trace from job where id = any ($1) and trace is not null',
      [ids],
    ),
  );
  let first: Span | undefined;
  const spans = found.flatMap(({ id, trace }) => {
    const parent = traceOfRow(trace);
    if (!parent) return [];
    const attributes = {
      ...attributesOf(op, id),
      'messaging.batch.message_count': ids.length,
    };
    const links = first ? [first] : [];
    const span = startSpan(traces, op, parent, { attributes, links, startedAt });
    first ??= span;
    return [span];
  });
  try {
    return await traces.within(first, work);
  } catch (error) {
    for (const span of spans) span.fail(kindOf(error));
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

const startSpan = (
  traces: Tracing,
  { name }: AnyOperation,
  parent: TraceParent,
  options: { attributes: Attributes; links?: readonly Span[]; startedAt?: number },
): Span => traces.start(`process ${name}`, 'consumer', { ...options, parent });

const attributesOf = ({ name, queue }: AnyOperation, id: string): Attributes => ({
  'messaging.system': 'bullmq',
  'messaging.operation.name': 'process',
  'messaging.operation.type': 'process',
  'messaging.destination.name': queue ?? '',
  'messaging.message.id': id,
  'market.operation': name,
});
