import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { claimsAs, judge, openPool, take, unitsOf, work, workThrough } from './pool.ts';

describe('results of labor as files', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const file = async (taskId: number | string, ending: string, key?: string) => {
    const reply = await fetch(`${platform.url}/api/v1/labor/${taskId}/results.${ending}`, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  };

  it('are the lines of labor_results, also of more units than a page has', async () => {
    const payloads = Array.from({ length: 230 }, (_, n) => `${n}\u2028 "،\u200c`);
    const { taskId, poster } = await openPool(platform, { units: unitsOf(...payloads) });
    const worker = await platform.agent();
    await work(platform, taskId, worker, 'dog\ncat');
    const { status, headers, text } = await file(taskId, 'jsonl', poster.key);
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.match(/^application\/jsonl/);
    expect(headers.get('content-disposition')).to.include(`filename="labor-${taskId}.jsonl"`);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(text.endsWith('}\n')).to.equal(true);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ payload }) => payload)).to.deep.equal(payloads);
    const page = await platform.request(`GET /api/v1/labor/${taskId}/results?limit=1`, poster);
    expect(`${text.split('\n')[0]}\n`).to.equal(page.body.jsonl.content);
    const tasks = JSON.parse((await file(taskId, 'json', poster.key)).text);
    expect(tasks.map(({ data }: { data: { payload: string } }) => data.payload)).to.deep.equal(
      payloads,
    );
    const csv = (await file(taskId, 'csv', poster.key)).text.split('\r\n');
    expect(csv).to.have.length(232);
  });

  it('are CSV with a line for each answer, of which none is a formula', async () => {
    const units = unitsOf('=1+1', 'a, "b"');
    const { taskId, poster } = await openPool(platform, { units, overlap: 2 });
    const [one, other] = [await platform.agent(), await platform.agent()];
    for (const [worker, answer] of [
      [one, '@SUM(A1)'],
      [other, '-2'],
    ] as const) {
      await work(platform, taskId, worker, answer);
    }
    const { headers, text } = await file(taskId, 'csv', poster.key);
    expect(headers.get('content-type')).to.match(/^text\/csv/);
    const [head, ...lines] = text.split('\r\n');
    expect(head).to.equal(
      'unit_id,n,payload,expected,answer,agreement,claim_id,worker_id,status,submission',
    );
    const cells = lines.slice(0, 2).map((line) => line.split(','));
    expect(cells.map((row) => [row[2], row[5], row[7], row[8], row[9]])).to.deep.equal([
      ["'=1+1", '0', String(one.id), 'verifying', "'@SUM(A1)"],
      ["'=1+1", '0', String(other.id), 'verifying', "'-2"],
    ]);
    expect(lines[2]).to.match(/^\d+,2,"a, ""b""",,,,,,,$/);
    expect(lines.slice(3)).to.deep.equal(['']);
  });

  it('are tasks of Label Studio with an annotation for each answer', async () => {
    const units = [{ payload: 'first' }, { payload: 'second', expected: 'cat' }];
    const { taskId, poster } = await openPool(platform, { units });
    const worker = await platform.agent();
    // The poster is not asked about the known one, so it does not read that answer.
    await workThrough(platform, taskId, worker, () => 'dog');
    const claims = await claimsAs(platform, poster, taskId);
    const claim_id = claims.find(({ submission }) => submission !== null)!.claim_id as number;
    await judge(platform, { poster, taskId }, claim_id, 'reject');
    const [task, known, ...others] = JSON.parse((await file(taskId, 'json', poster.key)).text);
    expect(others).to.deep.equal([]);
    expect(task.data).to.include({ payload: 'first', n: 1, answer: null });
    const said = [task, known].map(({ annotations }) =>
      annotations.map(
        (one: { ground_truth: boolean; was_cancelled: boolean; result: unknown[] }) => [
          one.ground_truth,
          one.was_cancelled,
          (one.result[0] as { value: { text: string[] } }).value.text,
        ],
      ),
    );
    expect(said).to.deep.equal([[[false, true, ['dog']]], [[true, false, ['cat']]]]);
    expect(task.annotations[0].result[0]).to.deep.include({
      from_name: 'answer',
      to_name: 'payload',
      type: 'textarea',
    });
  });

  const TEMPLATES = [
    [
      { form: 'classification', labels: ['Cat & "dog"', 'Owl'], several: true },
      'https://pictures.example/1.png',
      '["owl"]',
      { type: 'choices', value: { choices: ['Owl'] } },
      /<Image name="payload".*choice="multiple"><Choice value="Cat &amp; &quot;dog&quot;"/s,
    ],
    [
      { form: 'preference' },
      '{"a":"one","b":"two"}',
      'b',
      { type: 'choices', value: { choices: ['b'] } },
      /value="\$a".*value="\$b".*<Choice value="tie"/s,
    ],
    [
      { form: 'ner', labels: ['PER'] },
      '😀 Ada',
      '[{"start":2,"end":5,"label":"per"}]',
      { type: 'labels', value: { start: 2, end: 5, text: 'Ada', labels: ['PER'] } },
      /<Text name="payload".*<Labels name="answer"/s,
    ],
    [
      { form: 'ner', labels: ['LOC'] },
      ' https://pictures.example/york.png\r\n',
      '[{"start":26,"end":30,"label":"LOC"}]',
      { type: 'labels', value: { start: 26, end: 30, text: 'york', labels: ['LOC'] } },
      /<Text name="payload".*<Labels name="answer"/s,
    ],
    [
      { form: 'boxes', labels: ['cat'] },
      '{"image":"https://pictures.example/1","width":400,"height":200}',
      '[{"x":1,"y":2.5,"width":3,"height":4,"label":"cat"}]',
      {
        type: 'rectanglelabels',
        original_width: 400,
        original_height: 200,
        value: { x: 1, y: 2.5, width: 3, height: 4, rotation: 0, rectanglelabels: ['cat'] },
      },
      /<Image name="payload".*<RectangleLabels .*<Label value="cat"/s,
    ],
  ] as const;

  it('are annotations of Label Studio in the form of a template, with its interface', async () => {
    for (const [template, payload, answer, region, view] of TEMPLATES) {
      const { taskId, poster } = await openPool(platform, { template, units: unitsOf(payload) });
      await work(platform, taskId, await platform.agent(), answer);
      const [task] = JSON.parse((await file(taskId, 'json', poster.key)).text);
      expect(task.annotations[0].result[0]).to.deep.include({ from_name: 'answer', ...region });
      if (template.form === 'ner') expect(task.data.payload).to.equal(payload);
      const reply = await fetch(`${platform.url}/api/v1/labor/${taskId}/label_studio.xml`, {
        headers: { authorization: `Bearer ${poster.key}` },
      });
      expect(await reply.text()).to.match(view);
    }
  });

  it('are for the poster', async () => {
    const { taskId, poster } = await openPool(platform);
    const worker = await platform.agent();
    await take(platform, taskId, worker);
    for (const ending of ['jsonl', 'csv', 'json']) {
      expect((await file(taskId, ending, poster.key)).status).to.equal(200);
      expect((await file(taskId, ending)).status).to.equal(401);
      expect((await file(taskId, ending, worker.key)).status).to.equal(403);
      expect((await file(999_999, ending, worker.key)).status).to.equal(404);
      expect((await file('no', ending, poster.key)).status).to.equal(422);
    }
    expect((await file(taskId, 'xlsx', poster.key)).status).to.equal(404);
  });
});
