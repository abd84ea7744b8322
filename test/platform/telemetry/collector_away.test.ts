import { expect } from 'chai';

import type { Log } from '../../../shared/platform/log.ts';
import {
  openTelemetry,
  type Telemetry,
} from '../../../shared/platform/telemetry/open_telemetry.ts';
import { telemetrySettings } from '../../../shared/platform/telemetry/settings.ts';
import { readEnvironment } from '../../../shared/platform/config/environment.ts';
import { eventually } from '../../harness.ts';
import { accept, hang, refuse, startCollector, type Collector } from './collector.ts';

describe('a collector', () => {
  let collector: Collector;
  let telemetry: Telemetry;
  let lines: unknown[][];
  beforeEach(async () => {
    collector = await startCollector();
    lines = [];
  });
  afterEach(async () => {
    await telemetry.close();
    await collector.close();
  });

  function open(env: Record<string, string> = {}): void {
    const settings = readEnvironment(telemetrySettings, {
      OTEL_BSP_SCHEDULE_DELAY: '10',
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      ...env,
    });
    telemetry = openTelemetry(collector.url, settings, { process: 'test', release: 'v1' });
    const note =
      (level: string) =>
      (...line: unknown[]) =>
        lines.push([level, ...line]);
    telemetry.reportTo({ warn: note('warn'), info: note('info') } as unknown as Log);
  }

  const endSpan = () => telemetry.tracing.start('work', 'internal').end();
  const untilAsked = (count: number) =>
    eventually(
      async () => collector.requests.length,
      (asked) => asked >= count,
    );

  it('that refuses spans is named once in the log, and so is its return', async () => {
    open();
    collector.behave(refuse);
    for (const asked of [1, 2, 3]) {
      endSpan();
      await untilAsked(asked);
    }
    await eventually(
      async () => lines.length,
      (count) => count > 0,
    );
    collector.behave(accept);
    await eventually(
      async () => {
        endSpan();
        return lines.length;
      },
      (count) => count > 1,
    );
    expect(lines.map(([level]) => level)).to.deep.equal(['warn', 'info']);
    expect(lines[0]![2]).to.contain('does not take spans');
    expect(lines[1]![1]).to.deep.equal({ lost: 3 });
  });

  it('that does not answer holds up no end of a process', async () => {
    // Longer than the last export may take, and shorter than a timer may be left open here.
    open({ OTEL_EXPORTER_OTLP_TIMEOUT: '5000' });
    collector.behave(hang);
    endSpan();
    await untilAsked(1);
    endSpan();
    await telemetry.close();
    expect(lines, 'the export has not failed yet').to.deep.equal([]);
    expect(collector.spans).to.deep.equal([]);
  });

  it('gets the rest when a process ends, with the name of the process and the headers', async () => {
    open({
      OTEL_BSP_SCHEDULE_DELAY: '60000',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%2Cb, x-tenant=market',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    const above = telemetry.tracing.start('above', 'server');
    telemetry.tracing.within(above, endSpan);
    above.end();
    await telemetry.close();
    expect(collector.spans.map(({ name }) => name)).to.have.members(['above', 'work']);
    const [work] = collector.spans.filter(({ name }) => name === 'work');
    expect(work!.parentSpanId).to.equal(above.ids.span_id);
    expect(work!.service).to.equal('market-test');
    expect(collector.requests[0]!.headers).to.include({
      authorization: 'Bearer a,b',
      'x-tenant': 'market',
    });
    expect(collector.bodies[0]).to.contain('deployment.environment.name');
  });

  it('gets as many traces as the ratio says, whatever callers ask for', () => {
    const sampled = (sampler: string, ratio: string, isSampled: boolean) => {
      open({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio });
      const parent = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), isSampled };
      const started = Array.from({ length: 200 }, () =>
        telemetry.tracing.start('work', 'server', { parent: { ...parent, isOfCaller: true } }),
      );
      return started.filter((span) => span.isSampled).length;
    };
    expect(sampled('parentbased_always_on', '0', true)).to.equal(200);
    expect(sampled('parentbased_always_on', '0', false)).to.equal(0);
    expect(sampled('always_on', '0', false)).to.equal(200);
    expect(sampled('parentbased_always_off', '1', true)).to.equal(0);
    expect(sampled('parentbased_traceidratio', '0', true)).to.equal(0);
    expect(sampled('parentbased_traceidratio', '0.5', false)).to.equal(0);
    // Fewer than 40 or more than 160 of 200 come once in 10^17 runs.
    expect(sampled('parentbased_traceidratio', '0.5', true)).to.be.within(40, 160);
    expect(sampled('traceidratio', '0.5', false)).to.be.within(40, 160);
    const work = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), isSampled: true };
    const job = { parent: { ...work, isOfCaller: false } };
    expect(telemetry.tracing.start('job', 'consumer', job).isSampled).to.equal(true);
  });
});
