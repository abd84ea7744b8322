import type { Counts } from '../shared/domains/operators/machine/records.ts';
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

/** Counts of this process since it started, for its heartbeat. */
export async function countedCalls(): Promise<Pick<Counts, 'calls' | 'faults' | 'callTimes'>> {
  const answered = (await calls.get()).values;
  const sum = (values: typeof answered) => values.reduce((all, { value }) => all + value, 0);
  // Each bucket of a histogram counts those below it too.
  const upTo = new Map<string, number>();
  for (const { metricName, labels, value } of (await seconds.get()).values) {
    const bound = String((labels as { le?: number | string }).le);
    if (metricName?.endsWith('_bucket')) upTo.set(bound, (upTo.get(bound) ?? 0) + value);
  }
  const totals = [...SECONDS.map(String), '+Inf'].map((bound) => upTo.get(bound) ?? 0);
  return {
    calls: sum(answered),
    faults: sum(answered.filter(({ labels }) => Number(labels.status) >= 500)),
    callTimes: totals.map((total, n) => total - (totals[n - 1] ?? 0)),
  };
}

function count(op: AnyOperation, status: number, startedAt: number): void {
  calls.inc({ operation: op.name, status });
  if (!op.wait) seconds.observe({ mode: op.mode }, (performance.now() - startedAt) / 1_000);
}
