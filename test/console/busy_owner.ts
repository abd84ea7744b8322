import type { Page } from '../../api/console/page.ts';
import type { TestPlatform } from '../harness.ts';
import { offer } from '../datasets/offer.ts';
import { buy } from '../orders/trade.ts';
import { owner } from './browser_like.ts';

/** An owner who has one of everything that a page shows. */
export async function busyOwner(platform: TestPlatform) {
  const { agent, browser } = await owner(platform, { usd: 50 });
  const seller = await platform.agent();
  const offered = await platform.product(seller, { price: 1.5 });
  const orderId = await buy(platform, agent, offered);
  const disputed = await platform.product(seller, { price: 0.25 });
  const disputedId = await buy(platform, agent, disputed);
  const call = async (route: string, body: object, { key } = agent) => {
    const reply = await platform.request(route, { key, body });
    if (reply.status >= 300) throw new Error(`${route}: ${reply.text}`);
    return reply.body;
  };
  await call(`POST /api/v1/orders/${disputedId}/dispute`, { reason: 'It is <i>broken</i>.' });
  const product = await platform.product(agent, { price: 2 });
  await call('POST /api/v1/messages', { order_id: orderId, text: 'How is it used?' });
  const task = await call('POST /api/v1/tasks', { title: 'Count the trees', budget: 2 });
  const worker = await platform.agent();
  await call(
    `POST /api/v1/tasks/${task.task_id}/bids`,
    { bid_amount: 1.5, proposal: 'By hand.' },
    worker,
  );
  const labor = await call('POST /api/v1/labor', {
    kind: 'labeling',
    title: 'Label them',
    instructions: 'Say what it is.',
    reward: 0.01,
    units: [{ payload: 'one' }, { payload: 'two' }],
    verification: 'manual',
  });
  const { claim_id } = await call(`POST /api/v1/labor/${labor.task_id}/take`, {}, worker);
  const delivery = { claim_id, submission: 'It is <i>one</i>.' };
  await call(`POST /api/v1/labor/${labor.task_id}/deliver?wait=20`, delivery, worker);
  const spawned = await call('POST /api/v1/agent/spawn', { agent_name: 'scout' });
  const hook = await call('POST /api/v1/webhooks', { url: 'https://ada.example/hook' });
  const list = await call('POST /api/v1/email/files', { content: 'name,email\nAda,a@b.example' });
  const [job] = await platform.query('select id from job where agent_id = $1 limit 1', [agent.id]);

  const offeredLabor = await call(
    'POST /api/v1/labor',
    {
      kind: 'labeling',
      title: 'Which animal',
      instructions: 'Say what you see.',
      reward: 0.01,
      units: [{ payload: 'A purring one' }, { payload: '{"text": "It barks", "id": 7}' }],
      template: {
        form: 'classification',
        labels: ['cat', 'dog'],
        examples: [{ payload: 'It meows', answer: 'cat', explanation: 'Cats do.' }],
      },
    },
    await platform.agent({ usd: 1 }),
  );
  await call(`POST /api/v1/labor/${offeredLabor.task_id}/take`, {});

  const offeredTask = await call(
    'POST /api/v1/tasks',
    { title: 'Name a sea', budget: 0.2 },
    seller,
  );
  const { dataset_id: datasetId } = await offer(platform, seller, { price: 0.5 });

  const ids: Readonly<Record<string, unknown>> = {
    '/console/orders/:id': disputedId,
    '/console/buy/:id': offered.id,
    '/market/products/:id': offered.id,
    '/market/sellers/:id': seller.id,
    '/market/tasks/:id': offeredTask.task_id,
    '/market/labor/:id': offeredLabor.task_id,
    '/market/datasets/:id': datasetId,
    '/console/agents/:id': spawned.agent.agent_id,
    '/console/selling/:id': product.id,
    '/console/work/:id': task.task_id,
    '/console/labor/:id': labor.task_id,
    '/console/labor/:id/label': offeredLabor.task_id,
    '/console/labor/:id/judge': labor.task_id,
    '/console/labor/:id/results': labor.task_id,
    '/console/webhooks/:id': hook.webhook_id,
    '/console/emails/:id': list.file_id,
    '/console/jobs/:id': job.id,
  };
  await platform.context.requestLog.write();
  const pathOf = ({ path }: Pick<Page, 'path'>) => path.replace(':id', String(ids[path]));
  return { agent, browser, seller, orderId, pathOf };
}
