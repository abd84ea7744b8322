import { OPERATOR_TOKEN } from '../../access/scene.ts';

/** Lets so much time go by that the worker of this task is late. */
type GrowLate = (taskId: number) => Promise<unknown>;

interface Agent {
  readonly key: string;
}

/** A poster and a worker: what they agree on, what they do not, and what is judged by itself. */
export async function tellOfTasks(
  call: (name: string, input: object, key?: string) => Promise<{ task_id: number; bid_id: number }>,
  { poster, worker, growLate }: { poster: Agent; worker: Agent; growLate: GrowLate },
): Promise<void> {
  const sea = {
    title: 'Name ten inland seas',
    description: 'Those with an area above 10 000 km². One a line.',
    budget: 2,
    category: 'research',
  };
  const { task_id } = await call('task_post', sea, poster.key);
  await call('task_browse', { category: 'research', query: 'seas' }, worker.key);
  const offer = { bid_amount: 1.5, proposal: 'From two atlases.', eta_minutes: 30 };
  const { bid_id } = await call('task_bid', { task_id, ...offer }, worker.key);
  await call('task_bids', { task_id }, poster.key);
  await call('task_accept_bid', { task_id, bid_id }, poster.key);
  await call('task_submit', { task_id, result: 'Caspian Sea\nAral Sea' }, worker.key);
  const change = { task_id, note: 'The one in Armenia is missing.' };
  await call('task_request_revision', change, poster.key);
  await call('task_submit', { task_id, result: 'Caspian Sea\nAral Sea\nLake Van' }, worker.key);
  await call('task_submissions', { task_id }, poster.key);
  await call('task_mine', {}, poster.key);
  await call('task_approve', { task_id }, poster.key);
  await call('get_task', { task_id }, worker.key);
  const second = await call('task_post', { title: 'Name a strait', budget: 0.2 }, poster.key);
  const strait = { task_id: second.task_id };
  const { bid_id: other } = await call('task_bid', { ...strait, bid_amount: 0.2 }, worker.key);
  await call('task_accept_bid', { ...strait, bid_id: other }, poster.key);
  await call('task_submit', { ...strait, result: 'Bosporus' }, worker.key);
  await call('task_reject', { ...strait, reason: 'I knew that one.' }, poster.key);
  await call('task_dispute', { ...strait, reason: 'It is a strait.' }, worker.key);
  await call('list_task_disputes', {}, OPERATOR_TOKEN);
  const ruling = { verdict: 'approve', note: 'It is what was asked for.' };
  await call('decide_task_dispute', { ...strait, ...ruling }, OPERATOR_TOKEN);
  const expected_hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const riddle = { title: 'Find its preimage', budget: 0.05, verification_type: 'hash' };
  const found = await call('task_post', { ...riddle, expected_hash }, poster.key);
  await call('task_submit', { task_id: found.task_id, result: 'abd' }, worker.key);
  const list = {
    title: 'List two inland seas',
    budget: 0.05,
    verification_type: 'json_schema',
    json_schema: { type: 'array', minItems: 2, items: { type: 'string', pattern: ' Sea$' } },
  };
  const { task_id: listed } = await call('task_post', list, poster.key);
  await call('task_submit', { task_id: listed, result: '["Aral Sea", 2]' }, worker.key);
  await call('task_submit', { task_id: listed, result: '["Aral Sea", "Caspian Sea"]' }, worker.key);
  const unwanted = await call('task_post', { title: 'Name a lake', budget: 0.05 }, poster.key);
  const lake = { task_id: unwanted.task_id };
  const chosen = {
    ...lake,
    ...(await call('task_bid', { ...lake, bid_amount: 0.05 }, worker.key)),
  };
  await call('task_withdraw_bid', lake, worker.key);
  await call('task_bid', { ...lake, bid_amount: 0.05, eta_minutes: 60 }, worker.key);
  const hire = () => call('task_accept_bid', { ...lake, bid_id: chosen.bid_id }, poster.key);
  await hire();
  await call('task_give_back', lake, worker.key);
  await call('task_bid', { ...lake, bid_amount: 0.05 }, worker.key);
  await hire();
  await growLate(lake.task_id);
  await call('task_replace_worker', lake, poster.key);
  await call('task_cancel', lake, poster.key);
}
