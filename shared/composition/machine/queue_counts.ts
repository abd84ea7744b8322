import type { QueueCounts } from '../../domains/operators/machine/records.ts';
import type { Context } from '../context.ts';

/** The batches of a queue, as Redis counts them. */
export async function countsOf({ queue: jobs }: Context, queue: string): Promise<QueueCounts> {
  const latency = await jobs.latencyMs(queue);
  const { waiting = 0, active = 0 } = await jobs.queueOf(queue).getJobCounts('waiting', 'active');
  return { queue, waiting, active, latency_ms: Math.round(latency) };
}
