import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { eventually, type TestPlatform } from '../../harness.ts';
import { setPolicy } from '../../policy.ts';
import { holdMail } from '../held_mail.ts';
import { many, withFiles } from './file_calls.ts';

describe('validate_email_file that is interrupted', function () {
  this.timeout(60_000);

  const files = withFiles({ 'mail.example': { MX: ['mx.mail.example'] } });
  const { uploaded, validate, show } = files;
  let platform: TestPlatform;
  before(() => ({ platform } = files));

  it('is partial where a limit is reached on the way, and goes on from there', async () => {
    const agent = await platform.agent();
    const fileId = await uploaded(agent, many(20));
    const held = holdMail(platform);
    const call = validate(agent, fileId);
    await eventually(
      async () => held.count,
      (count) => count > 0,
    );
    expect(await show(agent, fileId)).to.include({ status: 'running', seconds: 1 });
    await setPolicy(platform, agent, { daily_spend_limit: 10_000 });
    held.release();
    const { body } = await call;
    expect(body).to.include({ status: 'partial', charged: 0.01 });
    expect(body.results).to.include({ deliverable: 5, unpaid: 15 });
    expect(await show(agent, fileId)).to.include({ status: 'partial', charged: 0.01 });
    await setPolicy(platform, agent, { daily_spend_limit: null });
    expect((await validate(agent, fileId)).body).to.include({ status: 'complete', charged: 0.03 });
    expect(await platform.balance(agent)).to.equal(0.46);
  });

  it('can be validated again where its job has ended without an end of its own', async () => {
    const agent = await platform.agent();
    const fileId = await uploaded(agent, many(2));
    const held = holdMail(platform);
    const { body: sent } = await validate(agent, fileId, 0);
    await eventually(
      async () => held.count,
      (count) => count > 0,
    );
    const end = `update job set status = 'failed', http_status = 500, finished_at = now(),
                        answer = '{"error":"internal_error"}' where id = $1`;
    await platform.query(end, [sent.job_id]);
    held.release();
    await eventually(
      async () => (await show(agent, fileId)).charged,
      (usd) => usd === 0.004,
    );
    expect(await show(agent, fileId)).to.include({ status: 'partial' });
    expect((await validate(agent, fileId)).body).to.include({ status: 'complete', charged: 0 });
    expect(await platform.balance(agent)).to.equal(0.496);
  });

  it('charges once where jobs of a call that has ended go on beside those of the next', async () => {
    const agent = await platform.agent();
    const fileId = await uploaded(agent, many(3));
    const held = holdMail(platform);
    const { body: sent } = await validate(agent, fileId, 0);
    await eventually(
      async () => held.count,
      (count) => count === 3,
    );
    const end = `update job set status = 'failed', http_status = 500, finished_at = now(),
                        answer = '{"error":"internal_error"}' where id = $1`;
    await platform.query(end, [sent.job_id]);
    const again = validate(agent, fileId);
    await eventually(
      async () => held.count,
      (count) => count === 6,
    );
    held.release();
    expect((await again).status).to.be.oneOf([200, 202]);
    await eventually(
      () => show(agent, fileId),
      ({ status }) => status === 'complete',
    );
    expect(await show(agent, fileId)).to.include({ charged: 0.006 });
    expect(await platform.balance(agent)).to.equal(0.494);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });
});
