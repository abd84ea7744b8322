import { expect } from 'chai';

import { describedStatement } from '../../../shared/platform/telemetry/statement_spans.ts';
import {
  parseTraceparent,
  rowOfTrace,
  traceOfRow,
} from '../../../shared/platform/telemetry/traceparent.ts';
import type { Span, Tracing } from '../../../shared/platform/telemetry/tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it('is read as W3C Trace Context says, also of a later version', () => {
    const parent = { traceId: TRACE, spanId: SPAN, isOfCaller: true };
    for (const [header, isSampled] of [
      [`00-${TRACE}-${SPAN}-01`, true],
      [`00-${TRACE}-${SPAN}-00`, false],
      [`00-${TRACE}-${SPAN}-02`, false],
      [`00-${TRACE}-${SPAN}-ff`, true],
      [`cc-${TRACE}-${SPAN}-01`, true],
      [`cc-${TRACE}-${SPAN}-01-what-will-be`, true],
    ] as const) {
      expect(parseTraceparent(header), header).to.deep.equal({ ...parent, isSampled });
    }
  });

  it('is ignored where it is malformed', () => {
    for (const header of [
      undefined,
      '',
      TRACE,
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-1`,
      `00-${TRACE}-${SPAN}-01-`,
      `00-${TRACE}-${SPAN}-01-more`,
      `cc-${TRACE}-${SPAN}-01more`,
      `ff-${TRACE}-${SPAN}-01`,
      `0-${TRACE}-${SPAN}-01`,
      ` 00-${TRACE}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01\n`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE}g-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01,00-${TRACE}-${SPAN}-01`,
      `cc-${TRACE}-${SPAN}-01-${'x'.repeat(10_000)}`,
    ]) {
      expect(parseTraceparent(header), header).to.equal(undefined);
    }
  });

  it('comes back from a job row as it went in, as the work of our own call', () => {
    const ids = { trace_id: TRACE, span_id: SPAN };
    const active = { active: () => ({ ids }) as Span } as Tracing;
    const parent = { traceId: TRACE, spanId: SPAN, isSampled: true, isOfCaller: false };
    expect(traceOfRow(rowOfTrace(active)!)).to.deep.equal(parent);
    expect(rowOfTrace(undefined)).to.equal(undefined);
    expect(rowOfTrace({ ...active, active: () => undefined })).to.equal(undefined);
    expect(traceOfRow(null)).to.equal(undefined);
    expect(traceOfRow(Buffer.from('short'))).to.equal(undefined);
  });
});

describe('the span of a statement', () => {
  const shown = (sql: string) => {
    const { name, attributes } = describedStatement(sql);
    return [name, attributes['db.query.text']];
  };

  it('is named after what it does and where', () => {
    for (const [sql, name] of [
      ['select id from job where id = $1', 'select job'],
      ['  with due as (\n select id from job) update job set x = 1', 'with job'],
      ['insert into ledger.transfer (id) values ($1)', 'insert ledger.transfer'],
      ['update orders set status = $1', 'update orders'],
      ['start transaction', 'start'],
      ['commit', 'commit'],
      ['', 'statement'],
    ] as const) {
      expect(shown(sql)[0], sql).to.equal(name);
    }
  });

  it('shows parameters as they are written, and no literal of a statement without any', () => {
    const constant = `select id from job where status = 'pending' and id = $1`;
    expect(shown(constant)[1]).to.equal(constant);
    expect(shown(`select set_config('a.b', 'it''s a secret', true)`)[1]).to.equal(
      `select set_config('?', '?', true)`,
    );
    expect(shown(`select ${'x'.repeat(5_000)} from job where id = $1`)[1]).to.have.length(2_000);
  });
});
