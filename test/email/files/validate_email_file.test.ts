import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { eventually, type TestPlatform } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { holdMail } from '../held_mail.ts';
import type { Name } from '../zone.ts';
import { many, withFiles } from './file_calls.ts';

describe('validate_email_file', function () {
  this.timeout(60_000);

  const zone: Record<string, Name> = {
    'mail.example': { MX: ['mx.mail.example'] },
    'null.example': { MX: ['.'] },
    'broken.example': 'SERVFAIL',
  };
  const files = withFiles(zone);
  const { uploaded, path, validate, show } = files;
  let platform: TestPlatform;
  before(() => ({ platform } = files));

  it('answers each row, and charges each address once', async () => {
    const agent = await platform.agent();
    const rows = [
      'name,email',
      'Ada,ada@mail.example',
      'Again,Ada@MAIL.example',
      'again,ada@MAIL.example',
      'None,',
      'Text,not given',
      'Null,bob@null.example',
      'Wrong,a b@mail.example',
      'Broken,eve@broken.example',
    ];
    const fileId = await uploaded(agent, rows.join('\n'));
    expect(await show(agent, fileId)).to.deep.include({ addresses: 5, price: 0.01, seconds: 1 });
    const { status, body } = await validate(agent, fileId);
    expect(status).to.equal(200);
    const results = {
      deliverable: 2,
      risky: 0,
      undeliverable: 2,
      unknown: 1,
      unpaid: 0,
      waiting: 0,
    };
    expect(body).to.deep.equal({ file_id: fileId, status: 'complete', results, charged: 0.008 });
    expect(await platform.balance(agent)).to.equal(0.492);
    const shown = await show(agent, fileId);
    expect(shown).to.deep.include({ status: 'complete', results, charged: 0.008, seconds: null });
    const { body: page } = await platform.request(`GET ${path(fileId)}/results`, agent);
    const found = page.rows.map(
      ({ result }: { result: Record<string, unknown> | null }) =>
        result && [result.status, result.sub_status, result.charged],
    );
    const ok = ['deliverable', 'domain_accepts_mail'];
    expect(found).to.deep.equal([
      [...ok, 0.002],
      [...ok, 0.002],
      [...ok, 0],
      null,
      null,
      ['undeliverable', 'null_mx', 0.002],
      ['undeliverable', 'bad_syntax', 0.002],
      ['unknown', 'dns_failure', 0],
    ]);
  });

  it('keeps no address beside its result, and says all the same which one was meant', async () => {
    zone['gmial.com'] = { MX: ['mx.mail.example'] };
    const agent = await platform.agent();
    const fileId = await uploaded(agent, 'ada.lovelace@gmial.com\n');
    await validate(agent, fileId);
    const { body: page } = await platform.request(`GET ${path(fileId)}/results`, agent);
    expect(page.rows[0].result.did_you_mean).to.equal('ada.lovelace@gmail.com');
    const stored = await platform.query(
      'select result::text from email_file_address where file_id = $1',
      [fileId],
    );
    expect(JSON.stringify(stored)).to.not.include('lovelace');
  });

  it('asks for the unknown ones alone when it is called again', async () => {
    zone['later.example'] = 'SERVFAIL';
    const agent = await platform.agent();
    const fileId = await uploaded(agent, 'a@mail.example\nb@later.example\n');
    expect((await validate(agent, fileId)).body).to.include({ charged: 0.002 });
    zone['later.example'] = { MX: ['mx.mail.example'] };
    const { body } = await validate(agent, fileId);
    expect(body).to.include({ status: 'complete', charged: 0.002 });
    expect(body.results).to.include({ deliverable: 2, unknown: 0 });
    expect(await show(agent, fileId)).to.include({ charged: 0.004 });
    const third = await validate(agent, fileId);
    expect([third.status, third.body.error]).to.deep.equal([409, 'invalid_transition']);
    expect(await platform.balance(agent)).to.equal(0.496);
  });

  it('goes on by pieces, shows how far it is, and emits the event of its job', async () => {
    const agent = await platform.agent({ usd: 2 });
    const fileId = await uploaded(agent, many(1_050));
    const held = holdMail(platform);
    const sent = await validate(agent, fileId, 0);
    expect(sent.status).to.equal(202);
    await eventually(
      async () => held.count,
      (count) => count > 0,
    );
    expect(await show(agent, fileId)).to.include({ status: 'running', job_id: sent.body.job_id });
    const meanwhile = { content: 'x@mail.example', file_id: fileId, after: 1_050 };
    for (const [call, body] of [
      [`POST ${path(fileId)}/validate`, {}],
      [`DELETE ${path(fileId)}`, {}],
      ['POST /api/v1/email/files', meanwhile],
    ] as const) {
      const refused = await platform.request(call, { key: agent.key, body });
      expect([refused.status, refused.body.error], call).to.deep.equal([409, 'invalid_transition']);
    }
    held.release();
    const poll = () => platform.request(`GET ${sent.body.poll}?wait=1`, agent);
    const { body } = await eventually(poll, ({ body: job }) => {
      if (job.progress) expect(job.progress.total).to.equal(1_050);
      return job.status !== 'pending';
    });
    expect(body.result).to.include({ status: 'complete', charged: 2.1 });
    const [charges] = await platform.query(
      'select count(*)::int as n, sum(units)::int as units from charge where agent_id = $1',
      [agent.id],
    );
    expect(charges).to.deep.equal({ n: 11, units: 1_050 });
    const { body: events } = await platform.request('GET /api/v1/events?type=job.*', agent);
    expect(events.events[0].data).to.include({ job_id: sent.body.job_id });
  });

  it('starts once, however many calls come at once', async () => {
    const agent = await platform.agent();
    const fileId = await uploaded(agent, many(150));
    const replies = await Promise.all([1, 2, 3, 4].map(() => validate(agent, fileId)));
    const ends = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(ends).to.deep.equal([200, 409, 409, 409]);
    expect(await platform.balance(agent)).to.equal(0.2);
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });

  it('validates none where the money is not enough for all', async () => {
    const agent = await platform.agent();
    const fileId = await uploaded(agent, many(251));
    const { status, body } = await validate(agent, fileId);
    expect([status, body.error]).to.deep.equal([402, 'insufficient_balance']);
    expect(await show(agent, fileId)).to.include({ status: 'uploaded', job_id: null });
    expect(await platform.balance(agent)).to.equal(0.5);
  });

  it('is deleted after 30 days, with its rows and results', async () => {
    const agent = await platform.agent();
    const fileId = await uploaded(agent, many(2));
    await validate(agent, fileId);
    const old = `update email_file set created_at = created_at - interval '30 days 1 minute'
                  where id <= $1`;
    await platform.query(old, [fileId]);
    await runTimer(platform, 'forget_old_rows');
    expect((await platform.request(`GET ${path(fileId)}`, agent)).status).to.equal(404);
  });
});
