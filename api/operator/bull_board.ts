import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { KoaAdapter } from '@bull-board/koa';
import type { Middleware } from 'koa';

import { queues } from '../../shared/composition/queues.ts';
import type { JobQueue } from '../../shared/jobs/queue.ts';

/** The queues carry only ids, so the page shows only ids. */
export function bullBoard({ queueOf }: JobQueue, path: string): Middleware {
  const serverAdapter = new KoaAdapter().setBasePath(path);
  createBullBoard({
    serverAdapter,
    queues: queues.map(
      (name) => new BullMQAdapter(queueOf(name), { readOnlyMode: true, allowRetries: false }),
    ),
    options: { uiConfig: { boardTitle: 'Agent Marketplace', hideRedisDetails: true } },
  });
  return serverAdapter.registerPlugin() as Middleware;
}
