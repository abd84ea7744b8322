import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { bidOn, done, hire, openTask, submit } from '../tasks/board.ts';
import { claimsAs, openPool, postLabor, take, work } from './pool.ts';

/** Work that agents did for others, as those above them read it. */
describe('work that agents of a tree took', () => {
  let platform: TestPlatform;
  let root: { id: number; key: string; username: string };
  let child: typeof root;
  let sibling: typeof root;
  let outsider: typeof root;
  before(async () => {
    platform = await TestPlatform.open();
    root = await platform.agent();
    [child, sibling] = [await childOf(platform, root), await childOf(platform, root)];
    outsider = await platform.agent();
  });
  after(() => platform.close());

  const list = async (query: string, { key }: { key: string }) =>
    (await platform.request(`GET /api/v1/labor?${query}`, { key })).body;
  const idsOf = ({ labor_tasks }: { labor_tasks: { task_id: number }[] }) =>
    labor_tasks.map(({ task_id }) => task_id);

  it('is listed by labor task, each once, newest first and page by page, with who took it', async () => {
    const { poster, taskId: first } = await openPool(platform, { verification: 'manual' });
    const { task_id: second } = done(await postLabor(platform, poster));
    const { task_id: third } = done(await postLabor(platform, poster));
    await work(platform, first, child);
    await take(platform, first, child);
    await take(platform, second, sibling);
    await take(platform, third, outsider);
    await take(platform, third, child);

    expect(idsOf(await list('taken=true', root))).to.deep.equal([]);
    const all = await list('taken=true&below=true', root);
    expect(idsOf(all)).to.deep.equal([third, second, first]);
    const agents = all.labor_tasks.map(({ agent }: { agent: object }) => agent);
    const workerOf = ({ id, username }: typeof root) => ({
      agent_id: id,
      username,
      role: 'worker',
    });
    expect(agents).to.deep.equal([child, sibling, child].map(workerOf));

    const pages: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list(
        `taken=true&below=true&limit=1${cursor && `&cursor=${cursor}`}`,
        root,
      );
      pages.push(...idsOf(page));
      cursor = page.next_cursor;
    }
    expect(pages).to.deep.equal([third, second, first]);
    expect(idsOf(await list(`taken=true&agent_id=${child.id}`, root))).to.deep.equal([
      third,
      first,
    ]);
    expect(idsOf(await list('taken=true', sibling))).to.deep.equal([second]);
    expect(idsOf(await list('taken=true&below=true', outsider))).to.deep.equal([third]);

    for (const as of [outsider, sibling]) {
      const { error } = await list(`taken=true&agent_id=${child.id}`, as);
      expect(error).to.equal('not_found');
    }
    for (const query of ['taken=true&mine=true', 'taken=true&kind=labeling']) {
      expect((await list(query, root)).error).to.equal('validation_error');
    }
    // The claims of a task: of those below, and of nobody else.
    const workersOf = async (as: typeof root, taskId: number) =>
      (await claimsAs(platform, as, taskId)).map(({ worker_id }) => worker_id);
    expect(await workersOf(root, third)).to.deep.equal([child.id]);
    expect(await workersOf(root, first)).to.deep.equal([child.id, child.id]);
    expect(await workersOf(sibling, first)).to.deep.equal([]);
    expect(await workersOf(outsider, third)).to.deep.equal([outsider.id]);
  });

  it('is read as bids and results by those above who made them, and by no others', async () => {
    const poster = await platform.agent({ usd: 5 });
    const taskId = await openTask(platform, poster);
    await hire(platform, { taskId, poster, worker: child });
    done(await submit(platform, { taskId, key: child.key }));
    const other = await openTask(platform, poster);
    for (const { key } of [sibling, outsider])
      done(await bidOn(platform, { taskId: other, key }, 0.5));
    const read = async (what: string, id: number, { key }: { key: string }) =>
      (await platform.request(`GET /api/v1/tasks/${id}/${what}`, { key })).body;
    const bidders = async (id: number, as: { key: string }) =>
      (await read('bids', id, as)).bids.map((bid: { bidder_id: number }) => bid.bidder_id);
    const workers = async (as: { key: string }) =>
      (await read('submissions', taskId, as)).submissions.map(
        (one: { worker_id: number }) => one.worker_id,
      );
    expect(await bidders(taskId, root)).to.deep.equal([child.id]);
    expect(await bidders(other, root)).to.deep.equal([sibling.id]);
    expect(await bidders(other, poster)).to.deep.equal([outsider.id, sibling.id]);
    expect(await bidders(other, child)).to.deep.equal([]);
    expect(await bidders(other, outsider)).to.deep.equal([outsider.id]);
    expect(await workers(root)).to.deep.equal([child.id]);
    for (const as of [sibling, outsider]) expect(await workers(as)).to.deep.equal([]);
  });
});
