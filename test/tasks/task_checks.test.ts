import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { endChecksSoon, ENDLESS } from '../verification/endless.ts';
import {
  bidOn,
  done,
  fundsOf,
  hire,
  newsOf,
  openJob,
  openTask,
  post,
  submit,
  taskAs,
} from './board.ts';

const SEA = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', pattern: '^(A|a+)+ral$' } },
};
const BY_SCHEMA = { verification_type: 'json_schema', json_schema: SEA };
const STATEMENTS = [
  { op: 'contains', value: 'Aral' },
  { op: 'equals', value: 'sea', path: '/kind' },
];
const BY_STATEMENTS = { verification_type: 'assertions', assertions: STATEMENTS };
const ARAL = '{"name": "Aral", "kind": "sea"}';

describe('a task with a JSON schema or assertions', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
    endChecksSoon(platform);
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('shows them to everybody, marked as the words of its poster', async () => {
    const { worker, taskId } = await openJob(platform, BY_SCHEMA);
    const task = await taskAs(platform, worker, taskId);
    const { untrusted, content } = task.verification.json_schema;
    expect([untrusted, JSON.parse(content)]).to.deep.equal([true, SEA]);
    expect(task.next).to.include('paid at once');
    const other = await openJob(platform, BY_STATEMENTS);
    expect((await taskAs(platform, worker, other.taskId)).verification).to.deep.equal({
      assertions: { untrusted: true, content: STATEMENTS },
    });
  });

  for (const [name, fields] of [
    ['json_schema', BY_SCHEMA],
    ['assertions', BY_STATEMENTS],
  ] as const) {
    it(`pays the first result that passes at once, what was bid: ${name}`, async () => {
      const { poster, worker, taskId } = await openJob(platform, fields);
      done(await bidOn(platform, { taskId, ...worker }, 0.9));
      expectRefusal(await submit(platform, { taskId, ...poster }, ARAL), 403, 'forbidden');
      const paid = done(await submit(platform, { taskId, ...worker }, ARAL));
      expect(paid).to.include({ status: 'approved', paid: 0.9 });
      expect(await fundsOf(platform, poster, worker)).to.deep.equal([
        [4.6, 0, 0],
        [0.4, 1, 0],
      ]);
      expectRefusal(await submit(platform, { taskId, ...worker }, ARAL), 409, 'invalid_transition');
      expect(await newsOf(platform, poster)).to.include('task.approved');
    });
  }

  it('pays nobody but its worker once a bid is accepted', async () => {
    const job = await openJob(platform, BY_STATEMENTS);
    const { worker, taskId } = job;
    await hire(platform, job, 0.5);
    const rival = await platform.agent();
    expectRefusal(await submit(platform, { taskId, ...rival }, ARAL), 403, 'forbidden');
    expect(done(await submit(platform, { taskId, ...worker }, ARAL)).paid).to.equal(0.5);
  });

  it('says which rule a result does not pass, five times, also at the same time', async () => {
    const { poster, worker, taskId } = await openJob(platform, BY_STATEMENTS);
    const wrong = await submit(platform, { taskId, ...worker }, '{"kind": "lake"}');
    expectRefusal(wrong, 422, 'verification_failed');
    expect(wrong.body.details).to.deep.equal({
      attempts_left: 4,
      failures: {
        untrusted: true,
        content: [
          { pointer: '', message: 'does not contain the value', rule: '/assertions/0' },
          { pointer: '/kind', message: 'is another value', rule: '/assertions/1' },
        ],
      },
    });
    const more = Array.from({ length: 8 }, (_, n) =>
      submit(platform, { taskId, ...worker }, `{"kind": ${n}}`),
    );
    const codes = (await Promise.all(more)).map(({ body }) => body.error);
    expect(codes.filter((code) => code === 'verification_failed')).to.have.length(4);
    expect(codes.filter((code) => code === 'invalid_transition')).to.have.length(4);
    expectRefusal(await submit(platform, { taskId, ...worker }, ARAL), 409, 'invalid_transition');
    expect(await fundsOf(platform, poster, worker)).to.deep.equal([
      [4.5, 0, 1],
      [0, 0.5, 0],
    ]);
    const rival = await platform.agent();
    expect(done(await submit(platform, { taskId, ...rival }, ARAL)).paid).to.equal(1);
  });

  it('is not posted where they are malformed or contradict, and costs nothing then', async () => {
    const poster = await platform.agent({ usd: 5 });
    for (const [fields, pointer] of [
      [{ ...BY_SCHEMA, json_schema: { type: 'sea' } }, '/json_schema/type'],
      [{ ...BY_SCHEMA, json_schema: { pattern: '(?=a)' } }, '/json_schema'],
      [{ verification_type: 'json_schema' }, '/json_schema'],
      [{ json_schema: SEA }, '/json_schema'],
      [{ ...BY_STATEMENTS, json_schema: SEA }, '/json_schema'],
      [{ verification_type: 'assertions' }, '/assertions'],
      [{ ...BY_STATEMENTS, assertions: [] }, '/assertions'],
      [
        { ...BY_STATEMENTS, assertions: [...STATEMENTS, { op: 'regex', value: '(' }] },
        '/assertions/2/value',
      ],
      [{ ...BY_STATEMENTS, expected_hash: 'a'.repeat(64) }, '/expected_hash'],
    ] as const) {
      const reply = await post(platform, poster, fields);
      expectRefusal(reply, 422, 'validation_error');
      expect(reply.body.details.fields[0].pointer).to.equal(pointer);
    }
    expect(await fundsOf(platform, poster)).to.deep.equal([[5, 0.5, 0]]);
  });

  it('holds up nobody, however long its check would take', async () => {
    const poster = await platform.agent({ usd: 5 });
    const endless = { verification_type: 'json_schema', json_schema: ENDLESS, budget: 0.1 };
    const taskId = await openTask(platform, poster, endless);
    const workers = await Promise.all([1, 2, 3, 4].map(() => platform.agent()));
    const quick = await openTask(platform, poster, { budget: 0.01 });
    let ended = 0;
    const slow = workers.map(async (worker) => {
      const { status, body } = await submit(platform, { taskId, ...worker }, '1');
      ended += 1;
      if (status !== 202) return body;
      // The four wait for each other, on a slow machine for longer than any caller is held.
      const { key } = worker;
      const job = await eventually(
        () => platform.request(`GET ${body.poll}?wait=20`, { key }),
        (reply) => reply.body.status !== 'pending',
      );
      return job.body.error as typeof body;
    });
    const others = workers.map((worker) => submit(platform, { taskId: quick, ...worker }));
    for (const reply of await Promise.all(others)) done(reply);
    expect(ended).to.be.below(slow.length);
    for (const refused of await Promise.all(slow)) {
      expect(refused.error, JSON.stringify(refused)).to.equal('verification_failed');
      expect(refused.details.failures.content[0].message).to.match(
        /takes (longer than|too much memory)/,
      );
    }
  });
});
