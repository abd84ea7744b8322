import { Worker } from 'bullmq';

import { catalog } from '../../../shared/composition/catalog.ts';
import { queues } from '../../../shared/composition/queues.ts';
import { readConfig } from '../../../shared/composition/config.ts';
import { PLATFORM } from '../../../shared/kernel/caller.ts';
import type { JobAnswer } from '../../../shared/kernel/terms/job_answer.ts';
import { refusalAnswer } from '../../../shared/composition/error_body.ts';
import { openContext } from '../../../shared/composition/open_context.ts';
import type { AnyOperation } from '../../../shared/kernel/operation.ts';
import type { Call } from '../../../shared/kernel/tx.ts';
import { PREFIX, redisForWorkers } from '../../../shared/platform/redis.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { startDispatcher } from '../../../workers/dispatch.ts';
import { openGateways } from '../../../workers/gateways/open.ts';

interface ClaimedJob {
  readonly op: AnyOperation;
  readonly input: object;
  readonly caller: Call['caller'];
  readonly jobId: string;
  readonly requestId: string;
}

/**
 * A worker process like workers/main.ts that performs a job by the given function: the drill must
 * detect that the function is wrong.
 */
export async function startBrokenWorker(
  perform: (context: Context, job: ClaimedJob) => Promise<void>,
  finish: (context: Context, answer: JobAnswer) => Promise<void>,
): Promise<void> {
  const config = readConfig();
  const gateways = openGateways(config);
  const context = await openContext(config, { process: 'worker', gateways });
  const connection = redisForWorkers(context.config.redisUrl, context.log);

  async function run(id: string): Promise<void> {
    const [found] = await context.database.query(
      `select job.id, operation, agent_id, input, request_id, agent.root_id
         from job left join agent on agent.id = job.agent_id where job.id = $1`,
      [id],
    );
    const { operation, input, request_id: requestId } = found;
    const caller = { ...PLATFORM, agentId: Number(found.agent_id), rootId: Number(found.root_id) };
    const op = catalog.get(operation)!;
    try {
      await perform(context, { op, input, caller, jobId: id, requestId });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await finish(context, refusalAnswer(id, error, requestId));
    }
  }

  const options = { connection, prefix: PREFIX, concurrency: 8, skipVersionCheck: true };
  for (const queue of queues) {
    const worker = new Worker<{ ids: string[] }>(
      queue,
      async ({ data }) => {
        for (const id of data.ids) await run(id);
      },
      options,
    );
    worker.on('error', (error) =>
      context.log.warn({ err: error }, 'a worker cannot reach its queue'),
    );
  }
  startDispatcher(context);
  context.log.info({ queues }, 'a worker takes jobs');
}
