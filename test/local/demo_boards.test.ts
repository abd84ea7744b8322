// test:all: the demo of npm start is made.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { openDemoBoards, type DemoBoards } from '../../local/demo/boards/boards.ts';
import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { deliver, take } from '../labor/pool.ts';
import { act, done } from '../tasks/board.ts';

/** The mood that a reader of the review would name. */
const moodOf = ({ payload }: { payload: { content: string } }) =>
  /expired|empty|never|stopped|Not|waste/.test(payload.content) ? '"negative"' : '"positive"';

describe('the boards of the demo', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'demo-'));
  const stopping = new AbortController();
  let platform: TestPlatform;
  let boards: DemoBoards;

  const open = () =>
    openDemoBoards({
      url: platform.url,
      stopping: stopping.signal,
      dataDir,
      operatorToken: platform.config.agents.operators[0]!.token,
    });

  before(async () => {
    // Their dataset is on sale also where products are reviewed.
    platform = await TestPlatform.open({ env: { AUTO_APPROVE_PRODUCTS: 'false' } });
    boards = await open();
    await boards.fill();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    rmSync(dataDir, { recursive: true });
  });

  const listed = async (path: string, { key }: { key: string }) =>
    done(await platform.request(`GET ${path}`, { key }));
  const madeBy = async (table: string) => {
    const [{ made }] = await platform.query(`select count(*)::int as made from ${table}`);
    return made as number;
  };

  it('pay a newcomer for a task and for a unit at once, and sell it a dataset', async () => {
    const newcomer = await platform.agent();
    const { key } = newcomer;

    const { tasks } = await listed('/api/v1/tasks', newcomer);
    const categories = tasks.map(({ category }: { category: string }) => category);
    expect(categories).to.have.members(['puzzles', 'lists']);
    const puzzle = tasks.find(({ category }: { category: string }) => category === 'puzzles');
    const { salt, expected_hash } = puzzle.verification;
    const hashOf = (n: number) => createHash('sha256').update(`${salt}${n}`).digest('hex');
    const number = Array.from({ length: 1000 }, (_, n) => n).find(
      (n) => hashOf(n) === expected_hash,
    );
    const work = { result: String(number) };
    const submitted = done(await act(platform, 'submit', { taskId: puzzle.task_id, key }, work));
    expect(submitted).to.include({ status: 'approved', paid: 0.02 });

    const [labor] = (await listed('/api/v1/labor', newcomer)).labor_tasks;
    const unit = await take(platform, labor.task_id, newcomer);
    const of = { taskId: labor.task_id, key };
    const delivered = done(await deliver(platform, of, unit.claim_id, moodOf(unit)));
    expect(delivered).to.include({ status: 'accepted', paid: 0.005 });
    expect(await platform.balance(newcomer)).to.equal(0.525);

    const [dataset] = (await listed('/api/v1/datasets', newcomer)).datasets;
    const { product_id } = dataset;
    done(await platform.request('POST /api/v1/orders', { key, body: { product_id } }));
    const access = await listed(`/api/v1/datasets/${dataset.dataset_id}/access`, newcomer);
    expect(access.data[0]).to.include({ city: 'Berlin', country: 'DE' });
    expect(await platform.balance(newcomer)).to.equal(0.492);
  });

  it('have something for everybody again after the next round, and then nothing is made', async () => {
    await boards.fill();
    const { tasks } = await listed('/api/v1/tasks', await platform.agent());
    expect(tasks).to.have.length(2);

    const before = [await madeBy('job'), await madeBy('ledger.transfer'), await madeBy('event')];
    await boards.fill();
    const after = [await madeBy('job'), await madeBy('ledger.transfer'), await madeBy('event')];
    expect(after).to.deep.equal(before);
  });

  it('have agents that do what the other one has posted, and are paid', async () => {
    for (let round = 0; round < 4; round++) {
      await boards.perform();
      await boards.fill();
    }
    const [{ done: by_each }] = await platform.query(
      `select count(distinct poster_id)::int as done from task where status = 'approved'`,
    );
    expect(by_each).to.equal(2);
    const [{ approved }] = await platform.query(
      `select count(*)::int as approved from task where status = 'approved'`,
    );
    expect(approved).to.equal(9);
    const claims = await platform.query('select status from labor_claim');
    expect(claims).to.deep.equal(Array(5).fill({ status: 'accepted' }));
  });

  it('are those of the same agents after a new start, with the same dataset', async () => {
    const agents = await madeBy('agent');
    expect(statSync(join(dataDir, 'demo-clerk_key')).mode & 0o777).to.equal(0o600);
    boards = await open();
    await boards.fill();
    expect(await madeBy('agent')).to.equal(agents);
    expect(await madeBy('dataset')).to.equal(1);
  });

  it('get a new agent where its key was lost', async () => {
    writeFileSync(join(dataDir, 'demo-clerk_key'), 'vnx_that_nobody_has');
    boards = await open();
    await boards.fill();
    const names = await platform.query(
      `select username from agent where username like 'demo-%' order by id`,
    );
    expect(names.map(({ username }: { username: string }) => username)).to.deep.equal([
      'demo-clerk',
      'demo-tutor',
      'demo-clerk-2',
    ]);
  });

  it('are given credit when theirs was earned by others', async () => {
    const newcomer = await platform.agent();
    const given = await madeBy('goodwill');
    // All that is there to be earned.
    for (let n = 0; n < 6; n++) {
      const { labor_tasks } = await listed('/api/v1/labor', newcomer);
      for (const { task_id, units_open } of labor_tasks) {
        for (let open = units_open; open > 0; open--) {
          const unit = await take(platform, task_id, newcomer);
          const of = { taskId: task_id, key: newcomer.key };
          await deliver(platform, of, unit.claim_id, moodOf(unit));
        }
      }
      await boards.fill();
    }
    expect(await madeBy('goodwill')).to.equal(given + 1);
  });

  it('make no calls any more when the launcher stops', async () => {
    stopping.abort();
    const failed = await boards.fill().catch((error: Error) => error.name);
    expect(failed).to.equal('AbortError');
  });
});
