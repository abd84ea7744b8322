import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import {
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Span as OtelSpan,
} from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

import type { TelemetrySettings } from './settings.ts';
import type { Log } from '../log.ts';
import type { Figures } from '../metrics.ts';
import { openExportReport } from './export_report.ts';
import { metricProducer } from './metric_producer.ts';
import { samplerOf } from './sampler.ts';
import type { Span, SpanKind, TraceParent, Tracing } from './tracing.ts';

/** Traces and figures of a process, sent to a collector. */
export interface Telemetry {
  readonly tracing: Tracing;
  /** Sends the figures that Prometheus reads too. */
  exportMetrics(figures: Figures): void;
  /** Says in this log when the collector is away. */
  reportTo(log: Log): void;
  /** Sends the rest, for a second at most. */
  close(): Promise<void>;
}

/** Time for the last export. A process that is told to end has little. */
const CLOSE_MS_MAX = 1_000;
/** Maximum ended spans that wait for an export; a collector that is slow loses more. */
const SPANS_MAX = 4_096;
/** Maximum exports at once: each of them holds its spans in memory. */
const EXPORTS_MAX = 2;
const ATTRIBUTE_CHARS_MAX = 2_000;

const KINDS: Readonly<Record<SpanKind, Kind>> = {
  internal: Kind.INTERNAL,
  server: Kind.SERVER,
  client: Kind.CLIENT,
  consumer: Kind.CONSUMER,
};

/** The only file that loads the packages of OpenTelemetry, with those that it imports. */
export function openTelemetry(
  endpoint: string,
  settings: TelemetrySettings,
  { process, release }: { readonly process: string; readonly release: string | undefined },
): Telemetry {
  const resource = resourceFromAttributes({
    'host.name': hostname(),
    ...settings.resource,
    'service.name':
      settings.serviceName ?? settings.resource['service.name'] ?? `market-${process}`,
    'service.instance.id': randomUUID(),
    ...(release !== undefined && { 'service.version': release }),
  });
  const report = openExportReport();
  const sent = {
    headers: settings.headers,
    timeoutMillis: settings.exportMs,
    concurrencyLimit: EXPORTS_MAX,
  };
  const spans = report.of(
    'spans',
    new OTLPTraceExporter({ ...sent, url: `${endpoint}/v1/traces` }),
    (batch: readonly unknown[]) => batch.length,
  );
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(settings.sampling),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_CHARS_MAX },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: spans,
        maxQueueSize: SPANS_MAX,
        scheduledDelayMillis: settings.spansEveryMs,
        exportTimeoutMillis: settings.exportMs,
      }),
    ],
  });
  let reader: PeriodicExportingMetricReader | undefined;

  return {
    tracing: tracingBy(provider),
    reportTo: (log) => report.to(log),
    exportMetrics(figures) {
      if (reader) return;
      reader = new PeriodicExportingMetricReader({
        exporter: report.of(
          'metrics',
          new OTLPMetricExporter({ ...sent, url: `${endpoint}/v1/metrics` }),
          () => 1,
        ),
        exportIntervalMillis: settings.metricsEveryMs,
        exportTimeoutMillis: Math.min(settings.exportMs, settings.metricsEveryMs),
      });
      reader.setMetricProducer(metricProducer(figures, resource));
    },
    async close() {
      const rest = [provider.shutdown(), reader?.shutdown() ?? Promise.resolve()];
      await Promise.race([Promise.allSettled(rest), timeUp(CLOSE_MS_MAX)]);
    },
  };
}

const timeUp = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());

function tracingBy(provider: TracerProvider): Tracing {
  const tracer = provider.getTracer('market');
  const spans = new AsyncLocalStorage<StartedSpan | undefined>();
  return {
    start(name, kind, { attributes, parent, links, startedAt } = {}) {
      const active = spans.getStore();
      let above = ROOT_CONTEXT;
      if (parent) above = trace.setSpanContext(above, contextOf(parent));
      else if (active) above = trace.setSpan(above, active.span);
      return new StartedSpan(
        tracer.startSpan(
          name,
          {
            kind: KINDS[kind],
            ...(attributes && { attributes }),
            ...(links && { links: links.flatMap((other) => linkTo(other)) }),
            ...(startedAt !== undefined && { startTime: startedAt }),
          },
          above,
        ),
      );
    },
    within: (span, work) => spans.run(span as StartedSpan | undefined, work),
    active() {
      const span = spans.getStore();
      return span?.isSampled ? span : undefined;
    },
    ids: () => spans.getStore()?.ids,
  };
}

const linkTo = (other: Span) =>
  other instanceof StartedSpan ? [{ context: other.span.spanContext() }] : [];

const contextOf = ({ traceId, spanId, isSampled, isOfCaller }: TraceParent) => ({
  traceId,
  spanId,
  traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: isOfCaller,
});

class StartedSpan implements Span {
  readonly span: OtelSpan;
  readonly ids;
  readonly isSampled: boolean;

  constructor(span: OtelSpan) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.span = span;
    this.ids = { trace_id: traceId, span_id: spanId };
    this.isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(name: string, value: string | number | boolean): void {
    this.span.setAttribute(name, value);
  }

  fail(kind: string): void {
    this.span.setAttribute('error.type', kind).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.span.end();
  }
}
