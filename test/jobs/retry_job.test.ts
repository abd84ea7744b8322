import { expect } from 'chai';

import { listJobs, SEARCHED_MAX } from '../../shared/domains/jobs/admin/list_jobs.ts';
import { insertJobs, newJobId, type NewJob } from '../../shared/jobs/jobs.ts';
import { catalog } from '../../shared/composition/catalog.ts';
import { operation, type AnyOperation } from '../../shared/kernel/operation.ts';
import type { Tx } from '../../shared/kernel/tx.ts';
import { Input, Output, Type } from '../../shared/kernel/schema.ts';
import { runJob } from '../../workers/run_job.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { buy, meet } from '../orders/trade.ts';
import { rowsRead } from '../plans/rows_read.ts';
import { withoutTriggers } from '../plans/superuser.ts';

const LAST_ATTEMPT = 7;
const UNKNOWN = '01890000-0000-7000-8000-000000000000';

/** Fails while `isBroken`, and is held when it is given up. */
let isBroken = true;
const pays = operation({
  title: 'A test',
  summary: 'A test.',
  access: 'any',
  mode: 'job',
  name: 'pays_out',
  queue: 'money',
  input: Input({ secret: Type.String() }),
  output: Output({ paid: Type.String() }),
  handle: async () => {
    if (isBroken) throw new Error('the bank does not answer');
    return { paid: 'once' };
  },
  ends: { onGiveUp: async () => 'hold' },
});

describe('list_jobs, operator_job and retry_job', () => {
  let platform: TestPlatform;
  let agent: { id: number; key: string };
  const known = catalog as Map<string, AnyOperation>;
  before(async () => {
    known.set(pays.name, pays);
    platform = await TestPlatform.open({ workers: false });
    agent = await platform.agent();
  });
  beforeEach(() => (isBroken = true));
  after(async () => {
    known.delete(pays.name);
    await platform.close();
  });

  const ask = async (route: string) =>
    (await platform.request(route, { key: OPERATOR_TOKEN })).body;
  const explain = (id: string) => ask(`GET /api/v1/admin/jobs/${id}`);
  const idsOf = async (query: string): Promise<string[]> =>
    (await ask(`GET /api/v1/admin/jobs?${query}`)).jobs.map(
      (job: { job_id: string }) => job.job_id,
    );
  const retry = (id: string) => ask(`POST /api/v1/admin/jobs/${id}/retry`);

  async function insert(fields: Partial<NewJob> = {}): Promise<string> {
    const { context } = platform;
    const id = newJobId(context.clock.now());
    const job = { id, operation: pays.name, agentId: agent.id, rootId: agent.id };
    const call = { input: { secret: 'a' }, hash: Buffer.alloc(32), requestId: `req_${id}` };
    await insertJobs(context.database, [{ ...job, ...call, ...fields }]);
    return id;
  }

  /** A job as workers leave it when its next attempt is the last. */
  async function giveUp(): Promise<string> {
    const id = await insert();
    await runJob(platform.context, id);
    await platform.query('update job set attempts = $2 where id = $1', [id, LAST_ATTEMPT]);
    await runJob(platform.context, id, LAST_ATTEMPT);
    return id;
  }

  it('attempt what was held again, as if it were new', async () => {
    const id = await giveUp();
    expect(await explain(id)).to.deep.include({
      status: 'pending',
      state: 'held',
      fault: 'Error: the bank does not answer',
      agent_id: agent.id,
      attempts: LAST_ATTEMPT,
    });
    expect(await idsOf('state=held')).to.deep.equal([id]);
    isBroken = false;
    expect(await retry(id)).to.include({ state: 'failing', attempts: 0, next_attempt_at: null });
    await platform.resumeWorkers();
    try {
      const done = await eventually(
        () => explain(id),
        ({ status }) => status === 'complete',
      );
      expect(done).to.include({ state: 'complete', waits_for: null, error_code: null });
      expect(done).not.to.have.any.keys('result', 'input'); // They are the agent's.
    } finally {
      await platform.pauseWorkers();
    }
    expect((await retry(id)).error).to.equal('invalid_transition');
  });

  it('attempt at once what would be attempted later', async () => {
    const id = await insert();
    await runJob(platform.context, id);
    await platform.query(
      `update job set run_at = now() + interval '5 min', push_after = now() where id = $1`,
      [id],
    );
    const failing = await explain(id);
    expect(failing).to.include({ state: 'failing' });
    expect(Date.parse(failing.next_attempt_at)).to.be.above(Date.now() + 200_000);
    expect(await idsOf('state=failing&operation=pays_out')).to.deep.equal([id]);
    expect((await retry(id)).next_attempt_at).to.equal(null);
    const due = 'select from job where id = $1 and run_at <= now() and push_after is null';
    expect(await platform.query(due, [id])).to.have.length(1);
  });

  it('leave alone what has not failed, is decided by others, or is being worked on', async () => {
    const later = await insert({ runAt: new Date(Date.now() + 3_600_000) });
    const queued = await insert();
    const deferred = await insert();
    const waiting = await insert();
    const never = `run_at = 'infinity', push_after = 'infinity'`;
    await platform.query(`update job set ${never}, deferral = '{}' where id = $1`, [deferred]);
    await platform.query(
      `update job set run_at = now() + interval '15 s', progress = '{"done": 1, "total": 3}'
        where id = $1`,
      [waiting],
    );
    for (const [id, state, words] of [
      [later, 'scheduled', /due at/],
      [queued, 'queued', /worker/],
      [deferred, 'deferred', /owner/],
      [waiting, 'waiting', /progress/],
    ] as const) {
      const before = await platform.query('select * from job where id = $1', [id]);
      const job = await explain(id);
      expect(job.state).to.equal(state);
      expect(job.waits_for).to.match(words);
      expect(await idsOf(`state=${state}&agent_id=${agent.id}`)).to.include(id);
      const refused = await retry(id);
      expect([refused.error, refused.details.state]).to.deep.equal(['invalid_transition', state]);
      expect(await platform.query('select * from job where id = $1', [id])).to.deep.equal(before);
    }
    const held = await giveUp();
    const worker = platform.context.database.createQueryRunner();
    try {
      await worker.query('start transaction');
      await worker.query('select from job where id = $1 for update', [held]);
      expect((await retry(held)).error).to.equal('invalid_transition');
    } finally {
      await worker.query('rollback');
      await worker.release();
    }
    expect((await explain(held)).state).to.equal('held');
  });

  it('find jobs by agent, operation and request, page by page, and say why one failed', async () => {
    await platform.resumeWorkers();
    const { buyer, product } = await meet(platform);
    await buy(platform, buyer, product);
    const call = { key: buyer.key, body: { product_id: product.id } };
    const { headers } = await platform.request('POST /api/v1/orders', call);
    await platform.pauseWorkers();
    const [last, first, ...others] = await idsOf(`agent_id=${buyer.id}`);
    expect(others).to.deep.equal([]);
    expect(await idsOf(`request_id=${headers.get('x-request-id')}`)).to.deep.equal([last]);
    const query = `agent_id=${buyer.id}&operation=purchase_product&limit=1`;
    const page = await ask(`GET /api/v1/admin/jobs?${query}`);
    expect([page.jobs[0].job_id, page.has_more]).to.deep.equal([last, true]);
    expect(await idsOf(`${query}&cursor=${page.next_cursor}`)).to.deep.equal([first]);
    expect(await idsOf(`agent_id=${buyer.id}&state=failed`)).to.deep.equal([last]);
    expect(await explain(last!)).to.include({ status: 'failed', error_code: 'out_of_stock' });
    expect((await explain(UNKNOWN)).error).to.equal('not_found');
    expect((await retry(UNKNOWN)).error).to.equal('not_found');
  });

  it('look through so many jobs for the few that are asked for, and no more', async function () {
    this.timeout(30_000);
    const MORE = 3_000;
    await withoutTriggers(
      platform,
      `insert into job (id, operation, agent_id, root_id, input, input_hash, request_id, status,
                        http_status, finished_at, answer)
       select (lpad(to_hex(n), 12, '0') || '70008000000000000000')::uuid,
              case when n = 1 then 'email_batch' else 'validate_email' end, 0, 0, '{}', '', 'req',
              'complete', 200, now(), '{}'
         from generate_series(1, ${SEARCHED_MAX + MORE}) n;
       update dispatch_watermark set id = (select id from job order by id desc limit 1),
                                     at = now();
       analyze job`,
    );
    const search = async (input: object) => {
      let answer: Awaited<ReturnType<typeof listJobs.handle>> | undefined;
      const rows = await rowsRead(
        platform,
        ['job'],
        async (db) => (answer = await listJobs.handle({ db } as Tx, input, undefined)),
        { answers: true },
      );
      return { rows, ...(answer as { jobs: object[]; next_cursor: string | null }) };
    };
    for (const input of [
      { operation: 'email_batch' },
      { agent_id: 999_999 },
      { request_id: 'none' },
    ]) {
      const first = await search(input);
      const about = JSON.stringify(input);
      expect([first.jobs.length, first.next_cursor === null], about).to.deep.equal([0, false]);
      // Twice: once for the jobs, and once for where the page ends.
      expect(first.rows, about).to.be.within(SEARCHED_MAX, 2 * SEARCHED_MAX + 1);
      const last = await search({ ...input, cursor: first.next_cursor! });
      expect(last.jobs.length, about).to.equal('operation' in input ? 1 : 0);
      expect([last.next_cursor, last.rows < 5 * MORE], about).to.deep.equal([null, true]);
    }
    for (const state of [
      'held',
      'failing',
      'queued',
      'deferred',
      'scheduled',
      'waiting',
    ] as const) {
      expect((await search({ state })).rows, state).to.be.below(MORE);
    }
    expect((await search({ operation: 'validate_email' })).rows).to.be.below(MORE);
  });
});
