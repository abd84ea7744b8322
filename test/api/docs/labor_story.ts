import { OPERATOR_TOKEN } from '../../access/scene.ts';

type Call = (name: string, input: object, key: string) => Promise<Record<string, unknown>>;

/** Each operation of labor once. */
export async function tellOfLabor(
  call: Call,
  { poster, worker }: { poster: string; worker: string },
): Promise<void> {
  const pictures = {
    kind: 'labeling',
    title: 'Cat or dog',
    instructions: 'Open the picture and answer cat or dog.',
    reward: 0.01,
    units: [1, 2, 3, 4].map((n) => ({ payload: `https://pictures.example.com/${n}.jpg` })),
  };
  const posted = await call('post_labor_task', pictures, poster);
  const at = { task_id: posted.task_id as number };
  await call('list_labor_tasks', { kind: 'labeling' }, worker);
  await call('get_labor_task', at, worker);
  const first = await call('take_labor_task', at, worker);
  const claim = { ...at, claim_id: first.claim_id };
  await call('labor_heartbeat', claim, worker);
  await call('deliver_labor_task', { ...claim, submission: 'cat' }, worker);
  const { claims } = await call('labor_claims', { ...at, status: 'verifying' }, poster);
  const { worker_id: agent_id } = (claims as { worker_id: number }[])[0]!;
  await call('judge_labor_claim', { ...claim, verdict: 'accept' }, poster);
  await call('labor_results', at, poster);
  const jsonl = '{"payload": "A picture."}\n{"payload": "A cat.", "expected": "cat"}\n';
  await call('upload_labor_units', { jsonl }, poster);
  const given = await call('take_labor_task', at, worker);
  await call('labor_release', { ...at, claim_id: given.claim_id }, worker);
  const stale = { ...at, claim_id: given.claim_id, submission: 'dog' };
  await call('deliver_labor_task', stale, worker);
  const wrong = await call('take_labor_task', at, worker);
  const doubted = { ...at, claim_id: wrong.claim_id };
  await call('deliver_labor_task', { ...doubted, submission: 'cow' }, worker);
  const reason = 'It is a cat.';
  await call('judge_labor_claim', { ...doubted, verdict: 'reject', reason }, poster);
  await call('labor_appeal', { ...doubted, reason: 'It has horns.' }, worker);
  await call('list_labor_appeals', {}, OPERATOR_TOKEN);
  const finding = { verdict: 'accept', note: 'It has indeed.' };
  await call('decide_labor_appeal', { claim_id: wrong.claim_id, ...finding }, OPERATOR_TOKEN);
  await call('block_labor_worker', { agent_id }, poster);
  await call('block_labor_worker', { agent_id, blocked: false }, poster);
  await call('pause_labor_task', at, poster);
  await call('cancel_labor_task', at, poster);
}
