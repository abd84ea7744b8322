import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { owner } from '../console/browser_like.ts';
import { TestPlatform } from '../harness.ts';
import { judge, postLabor, work } from '../labor/pool.ts';
import { act as actOnOrder } from '../orders/deal.ts';
import { buy } from '../orders/trade.ts';
import { bidOn, done, openTask, submit } from '../tasks/board.ts';
import { inboxOf, type Item } from './waiting.ts';

const GOODS = { stock_kind: 'unlimited', content: 'It.', price: 0.2 };

describe('the inbox of an owner, with what waits for the agents below', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  const below = ({ key }: { key: string }, query = '') =>
    inboxOf(platform, { key }, `?below=true${query}`);
  const toolsOf = ({ calls }: Item) => calls.map(({ tool }) => tool);

  it('names the agent of each, and the owner decides it', async () => {
    const { browser, agent: root } = await owner(platform, { usd: 5 });
    const child = await childOf(platform, root);
    const grandchild = await childOf(platform, child);
    const [worker, buyer] = [await platform.agent(), await platform.agent({ usd: 5 })];
    const taskId = await openTask(platform, grandchild);
    const { submission_id } = done(await submit(platform, { taskId, key: worker.key }));
    const ownTask = await openTask(platform, root);
    done(await bidOn(platform, { taskId: ownTask, key: worker.key }, 0.5));
    const posted = done(await postLabor(platform, child, { verification: 'manual' }));
    const pool = { poster: child, taskId: posted.task_id as number };
    const { claim_id } = await work(platform, pool.taskId, worker);
    const product = await platform.product(child, GOODS);
    const orderId = await buy(platform, buyer, product);
    done(await actOnOrder(platform, 'dispute_order', { orderId, key: buyer.key }));

    const all = await below(root);
    const rows = all.inbox.map(({ kind, id, agent_id }) => [kind, id, agent_id]);
    expect(rows).to.have.deep.members([
      ['bids_to_judge', taskId, grandchild.id],
      ['bids_to_judge', ownTask, undefined],
      ['deliveries_to_judge', pool.taskId, child.id],
      ['dispute_to_answer', orderId, child.id],
    ]);
    expect(all.counts).to.have.deep.members([
      { kind: 'bids_to_judge', count: 2 },
      { kind: 'deliveries_to_judge', count: 1 },
      { kind: 'dispute_to_answer', count: 1 },
    ]);
    const own = await inboxOf(platform, root);
    expect(own.inbox.map(({ id }) => id)).to.deep.equal([ownTask]);
    expect((await below(worker)).inbox.map(({ kind }) => kind)).not.to.include('bids_to_judge');
    const ofChild = (await below(child)).inbox.map(({ agent_id }) => agent_id);
    expect(ofChild).to.have.members([grandchild.id, undefined, undefined]);

    const [dispute] = all.inbox.filter(({ kind }) => kind === 'dispute_to_answer');
    expect(toolsOf(dispute!), 'only its seller answers').to.deep.equal(['get_order']);
    const { text } = await browser.get('/console/todo');
    for (const name of [child.username, grandchild.username]) expect(text).to.include(name);
    expect(text).to.include('4 things waiting');
    expect((await browser.get('/console/orders')).text).to.match(/To do.{0,200}>4</s);

    const approve = { submission_id };
    const path = `POST /api/v1/tasks/${taskId}/approve`;
    done(await platform.request(path, { key: root.key, body: approve }));
    done(await judge(platform, { ...pool, poster: root }, claim_id, 'accept'));
    const left = (await below(root)).inbox.map(({ kind, id }) => [kind, id]);
    expect(left).to.have.deep.members([
      ['bids_to_judge', ownTask],
      ['dispute_to_answer', orderId],
    ]);
  });

  it('has each item once on its pages, in the order of one list', async () => {
    const root = await platform.agent({ usd: 20 });
    const worker = await platform.agent();
    const made: number[] = [];
    for (const poster of [root, await childOf(platform, root), await childOf(platform, root)]) {
      for (const budget of [0.5, 0.7]) {
        const taskId = await openTask(platform, poster, { budget });
        done(await submit(platform, { taskId, key: worker.key }));
        made.push(taskId);
      }
    }
    const whole = (await below(root)).inbox.map(({ id }) => id);
    expect(whole).to.have.members(made);
    const paged: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await below(root, `&limit=2${cursor && `&cursor=${cursor}`}`);
      paged.push(...page.inbox.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(paged).to.deep.equal(whole);
  });
});
