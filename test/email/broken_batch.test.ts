import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { unanswered } from '../../shared/domains/email/batch.ts';
import { PIECE_MAX } from '../../shared/domains/email/sale.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { copyRow } from '../plans/superuser.ts';
import { holdMail } from './held_mail.ts';

describe('a batch of email validations', function () {
  this.timeout(60_000);

  it('lists addresses whose child job failed as unknown, free of charge', async () => {
    const platform = await TestPlatform.open();
    const held = holdMail(platform);
    const agent = await platform.agent({ usd: 1 });
    // The first addresses are one child job, which gets no answer; most are no addresses.
    const emails = Array.from({ length: PIECE_MAX + 15 }, (_, n) =>
      n === 0 ? `n${n}@silent.example` : `n${n}`,
    );
    const { body } = await platform.request('POST /api/v1/email/validate?wait=0', {
      key: agent.key,
      body: { emails },
    });
    const child = await eventually(
      () => platform.query(`select id from job where cause like '%/pieces/0'`),
      (rows) => rows.length === 1 && held.count > 0,
    );
    // Gives the job up, like a worker after its eighth attempt.
    await platform.query(
      `update job set status = 'failed', http_status = 500, answer = '{}', finished_at = now()
        where id = $1`,
      [child[0].id],
    );
    const finished = await eventually(
      async () => {
        await platform.query(
          `update job set run_at = now() where id in (
             select id from job where id = $1 and status = 'pending' for update skip locked)`,
          [body.job_id],
        );
        return platform.request(`GET ${body.poll}?wait=1`, agent);
      },
      ({ body: job }) => job.status !== 'pending',
    );
    const { results, ...summary } = finished.body.result;
    expect(summary).to.deep.equal({
      status: 'complete',
      count: emails.length,
      answered: 15,
      charged: 0.03,
    });
    expect(results[PIECE_MAX - 1]).to.include({
      email: emails[PIECE_MAX - 1],
      status: 'unknown',
      sub_status: 'internal_error',
      charged: 0,
    });
    expect(results[PIECE_MAX]).to.include({
      email: emails[PIECE_MAX],
      sub_status: 'bad_syntax',
      charged: 0.002,
    });
    expect(await platform.balance(agent)).to.equal(1.47);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    held.release();
    await platform.close();
  });

  it('finds each answer by its address, whatever pieces another release has made', async () => {
    const platform = await TestPlatform.open();
    const held = holdMail(platform);
    const agent = await platform.agent();
    const emails = ['n0@silent.example', 'n1', 'n2'];
    const { body } = await platform.request('POST /api/v1/email/validate?wait=0', {
      key: agent.key,
      body: { emails },
    });
    await eventually(() => Promise.resolve(held.count), Boolean);
    const first = { where: `t.cause like '%/pieces/0'`, count: 1 };
    const resultsOf = (...results: ReturnType<typeof unanswered>[]) =>
      `'${JSON.stringify({ results })}'`;
    const now = new Date();
    await copyRow(platform, 'job', {
      ...first,
      changes: {
        id: 'uuidv7()',
        key: 'null',
        cause: `replace(t.cause, '/pieces/0', '/pieces/1')`,
        status: `'complete'`,
        http_status: '200',
        finished_at: 'now()',
        answer: resultsOf(unanswered('n1', 'daily_limit_exceeded', now)),
      },
    });
    await platform.query(
      `update job set status = 'complete', http_status = 200, finished_at = now(),
              answer = ${resultsOf(
                unanswered('n2', 'tx_limit_exceeded', now),
                unanswered('n0@silent.example', 'insufficient_balance', now),
              )}
        where cause like '%/pieces/0'`,
    );
    await platform.query('update job set run_at = now() where id = $1', [body.job_id]);
    const { body: job } = await eventually(
      () => platform.request(`GET ${body.poll}?wait=1`, agent),
      (answer) => answer.body.status !== 'pending',
    );
    const reasons = job.result.results.map((one: { sub_status: string }) => one.sub_status);
    expect(reasons).to.deep.equal([
      'insufficient_balance',
      'daily_limit_exceeded',
      'tx_limit_exceeded',
    ]);
    expect(await platform.balance(agent)).to.equal(0.5);
    held.release();
    await platform.close();
  });
});
