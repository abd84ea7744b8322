import type { Invoke } from '../shared/kernel/call.ts';
import type { AnyOperation } from '../shared/kernel/operation.ts';
import { refusalOf } from '../shared/kernel/refusal.ts';
import { counter, histogram, SECONDS } from '../shared/platform/metrics.ts';
import { SenderDisconnected } from './http/request.ts';

const calls = counter(
  'market_calls_total',
  'Calls of operations by all interfaces, by the status that REST gives them.',
  ['operation', 'status'],
);
const seconds = histogram(
  'market_call_seconds',
  'From a call to its answer, by mode. Without what may wait for something to happen.',
  SECONDS,
  ['mode'],
);

/** Counts the calls that reach an operation, and how long they take. */
export const measured =
  (invoke: Invoke): Invoke =>
  async (op, call) => {
    const startedAt = performance.now();
    try {
      const answer = await invoke(op, call);
      count(op, answer.status, startedAt);
      return answer;
    } catch (error) {
      if (!(error instanceof SenderDisconnected)) count(op, refusalOf(error).status, startedAt);
      throw error;
    }
  };

function count(op: AnyOperation, status: number, startedAt: number): void {
  calls.inc({ operation: op.name, status });
  if (!op.awaits) seconds.observe({ mode: op.mode }, (performance.now() - startedAt) / 1_000);
}
