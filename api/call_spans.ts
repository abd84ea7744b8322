import type { Invoke } from '../shared/kernel/call.ts';
import { Refusal } from '../shared/kernel/refusal.ts';
import { kindOf, type Tracing } from '../shared/platform/telemetry/tracing.ts';

/** Each call of an operation as a span, over every interface. A refusal is no fault. */
export const inCallSpans =
  (traces: Tracing, invoke: Invoke): Invoke =>
  async (op, call) => {
    const attributes = { 'market.operation': op.name, 'market.mode': op.mode };
    const span = traces.start(op.name, 'internal', { attributes });
    try {
      const answer = await traces.within(span, () => invoke(op, call));
      span.set('market.status', answer.status);
      if (answer.jobId) span.set('messaging.message.id', answer.jobId);
      return answer;
    } catch (error) {
      if (error instanceof Refusal) span.set('market.refusal', error.code);
      if (!(error instanceof Refusal) || error.status >= 500) span.fail(kindOf(error));
      throw error;
    } finally {
      span.end();
    }
  };
