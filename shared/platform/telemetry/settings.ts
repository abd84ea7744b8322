import type { SettingReader } from '../config/environment.ts';
import { decimal, list, oneOf, url, whole } from '../config/setting_values.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Settings of OpenTelemetry, by the names and with the defaults of its specification. */
export function telemetrySettings({ read, optional }: SettingReader) {
  const sampler = read('OTEL_TRACES_SAMPLER', 'parentbased_always_on', oneOf(...SAMPLERS));
  const ratio = read('OTEL_TRACES_SAMPLER_ARG', '1', decimal(0, 1));
  return Object.freeze({
    /** The collector. Undefined: no traces, and no figures but those that Prometheus reads. */
    endpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', url('http', 'https')),
    headers: read('OTEL_EXPORTER_OTLP_HEADERS', '', pairs),
    /** Maximum time of one export in ms, with its repeats. */
    exportMs: read('OTEL_EXPORTER_OTLP_TIMEOUT', '10000', whole(100, 60_000)),
    /** Undefined: the name of the process, such as market-api. */
    serviceName: optional('OTEL_SERVICE_NAME', (text) => text.slice(0, 128)),
    resource: read('OTEL_RESOURCE_ATTRIBUTES', '', pairs),
    sampling: Object.freeze({
      ratio: sampler.endsWith('always_on') ? 1 : sampler.endsWith('always_off') ? 0 : ratio,
      respectsParents: sampler.startsWith('parentbased'),
    }),
    /** Time in ms between two exports of spans, and of figures. */
    spansEveryMs: read('OTEL_BSP_SCHEDULE_DELAY', '5000', whole(10, 60_000)),
    metricsEveryMs: read('OTEL_METRIC_EXPORT_INTERVAL', '60000', whole(100, 3_600_000)),
  });
}

export type TelemetrySettings = ReturnType<typeof telemetrySettings>;

/** Parses `name=value,name=value`, where the values are percent-encoded. */
function pairs(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list(text).map((pair) => {
      const [, name, value] = /^([^=\s]+)=(.*)$/.exec(pair) ?? [];
      try {
        if (name) return [name, decodeURIComponent(value!.trim())];
      } catch {
        // The same fault; the text is not shown, because headers hold secrets.
      }
      throw new Error('must be name=value pairs, separated by commas, with percent-encoded values');
    }),
  );
}
