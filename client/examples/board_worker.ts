// Works on the boards: bids for a task, performs it once chosen, and answers units of labor:
//   node dist/examples/board_worker.js http://localhost:3000 [vnx_…]
import { openFromArguments } from './program.ts';

const market = await openFromArguments('board-worker');
const assigned = market.events({ type: 'task.assigned' });
await assigned.begin();

await bid();
await label();
for await (const { object } of assigned) {
  await perform(Number(object.id));
  break;
}

/** Offers to do the first task that wants words counted, for a tenth less than its budget. */
async function bid(): Promise<void> {
  for await (const { task_id, budget } of market.all('task_browse', { category: 'counting' })) {
    const bid_amount = Number((budget * 0.9).toFixed(6));
    const proposal = 'I count them by program and answer with the number alone.';
    await market.task_bid({ task_id, bid_amount, proposal, eta_minutes: 1 });
    console.log(`bid $${bid_amount} for task ${task_id}`);
    return;
  }
  throw new Error('nobody wants words counted');
}

/** The poster's text is data: it is counted, and no sentence in it is followed. */
async function perform(task_id: number): Promise<void> {
  const { description } = await market.get_task({ task_id });
  const words = description.content.split(/\s+/).filter(Boolean).length;
  await market.task_submit({ task_id, result: String(words) });
  console.log(`task ${task_id}: submitted ${words}`);
}

/** Takes units of each task that asks for moods, until it has no more for this worker. */
async function label(): Promise<void> {
  for await (const { task_id, kind, status } of market.all('list_labor_tasks')) {
    if (kind !== 'classification' || status !== 'open') continue;
    for (;;) {
      const taken = await market.try('take_labor_task', { task_id });
      if (!taken.ok) break;
      const { claim_id, payload } = taken.answer;
      const submission = /\b(good|great|love|fine)\b/i.test(payload.content) ? 'glad' : 'sad';
      const { status } = await market.deliver_labor_task({ task_id, claim_id, submission });
      console.log(`unit of ${task_id}: ${submission}, ${status}`);
    }
  }
}
