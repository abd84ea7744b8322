import { readFile } from 'node:fs/promises';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { LABEL_RULE } from '../../shared/domains/labor/templates/template.ts';
import { agrees } from '../../shared/domains/labor/verification/answers.ts';
import { TestPlatform, type Reply } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { done } from '../tasks/board.ts';
import { claimsAs, deliver, labor, openPool, postLabor, take, unitsOf, walletOf } from './pool.ts';

/** The details of a refusal. */
function refused(reply: Reply, code: string) {
  expectRefusal(reply, 422, code);
  return reply.body.details;
}

const ANIMALS = { form: 'classification', labels: ['Cat', 'Dog'] };

describe('templates of labor', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const POSTED: readonly (readonly [what: string, template: object, kind?: string])[] = [
    ['/template/form', { ...ANIMALS, form: 'ner' }, 'translation'],
    ['/template/labels', { form: 'classification' }],
    ['/template/labels', { form: 'preference', labels: ['a'] }],
    ['/template/labels', { form: 'classification', labels: ['cat', 'CAT'] }],
    ['/template/labels/1', { form: 'classification', labels: ['cat', 'dog, wolf'] }],
    ...['“cat”', '"cat', '„cat', '[cat', '{cat', 'a;b', 'a；b', 'a، b', 'a、b', 'a\nb', 'a\tb'].map(
      (label) => ['/template/labels/0', { ...ANIMALS, labels: [label] }] as const,
    ),
    ...['a\u202eb', 'a\u200bb', '\u200fab', 'a\u00adb', ' cat', 'cat ', 'a  b', 'a\u2028b'].map(
      (label) => ['/template/labels/0', { ...ANIMALS, labels: [label] }] as const,
    ),
    ['/template/labels', { ...ANIMALS, labels: ['👨‍👩', '👨👩'] }],
    ['/template/several', { form: 'boxes', labels: ['cat'], several: true }],
    ['/template/punctuation', { ...ANIMALS, punctuation: true }],
    ['/template/examples/0/answer', { ...ANIMALS, examples: [{ payload: 'x', answer: 'owl' }] }],
  ];

  it('are refused, with the field, where their parts do not fit each other', async () => {
    const poster = await platform.agent({ usd: 5 });
    const before = await walletOf(platform, poster);
    for (const [pointer, template, kind = 'labeling'] of POSTED) {
      const { fields } = refused(
        await postLabor(platform, poster, { template, kind }),
        'validation_error',
      );
      expect(fields[0].pointer, JSON.stringify(template)).to.equal(pointer);
    }
    expect(await walletOf(platform, poster)).to.deep.equal(before);
  });

  it('refuse units that nobody could answer, sent in the call or uploaded before', async () => {
    const poster = await platform.agent({ usd: 5 });
    const post = (fields: object) => postLabor(platform, poster, fields);
    const at = async (fields: object) =>
      refused(await post(fields), 'validation_error').fields.map(
        ({ pointer }: { pointer: string }) => pointer,
      );
    const wrong = [
      { payload: 'one', expected: 'dog' },
      { payload: 'two', expected: 'owl' },
    ];
    expect(await at({ template: ANIMALS, units: wrong })).to.deep.equal(['/units/1/expected']);
    const preference = { form: 'preference' };
    const pair = JSON.stringify({ a: 'It is.', b: 'No.' });
    expect(await at({ template: preference, units: unitsOf(pair, 'one') })).to.deep.equal([
      '/units/1/payload',
    ]);
    const boxes = { form: 'boxes', labels: ['cat'] };
    const pictures = ['https://p.example/1', '{"image":"https://p.example/1.jpg"}', 'one', '{}'];
    const notPictures = ['/units/2/payload', '/units/3/payload'];
    expect(await at({ template: boxes, units: unitsOf(...pictures) })).to.deep.equal(notPictures);
    const upload = async (after: number, units: readonly object[], upload_id?: number) => {
      const jsonl = units.map((unit) => `${JSON.stringify(unit)}\n`).join('');
      const body = { jsonl, after, ...(upload_id && { upload_id }) };
      const reply = await platform.request('POST /api/v1/labor/uploads', { key: poster.key, body });
      return done(reply).upload_id as number;
    };
    const upload_id = await upload(0, [wrong[0]!]);
    await upload(1, [wrong[1]!], upload_id);
    expect(await at({ template: ANIMALS, units: undefined, upload_id })).to.deep.equal([
      '/units/1/expected',
    ]);
    const of = {
      template: boxes,
      units: undefined,
      upload_id: await upload(0, unitsOf(...pictures)),
    };
    expect(await at(of)).to.deep.equal(notPictures);
  });

  const FITTING: readonly (readonly [object, string, readonly string[], readonly string[]])[] = [
    [
      ANIMALS,
      'first',
      ['cat', ' "Dog" ', '["cat"]', '“cat”', '[“Dog”]', '„cat“'],
      ['owl', '["cat","dog"]', '{}', '[1]'],
    ],
    [
      { ...ANIMALS, several: true },
      'first',
      ['["dog","cat"]', '[]', 'cat'],
      ['["cat","Cat"]', '["cat","owl"]', 'cat, dog'],
    ],
    [{ form: 'preference' }, '{"a":"x","b":"y"}', ['a', 'tie'], ['c', 'neither']],
    [
      { form: 'ner', labels: ['PER'] },
      '😀 Ada met Ada',
      ['[{"start":2,"end":5,"label":"PER"},{"start":10,"end":13,"label":"per"}]', '[]'],
      [
        '[{"start":10,"end":13,"label":"PER"},{"start":2,"end":5,"label":"PER"}]',
        '[{"start":2,"end":14,"label":"PER"}]',
        '[{"start":2,"end":2,"label":"PER"}]',
        '[{"start":2,"end":5,"label":"ORG"}]',
        '[{"start":2,"end":5,"label":"PER","text":"Ada"}]',
        '[{"start":2,"end":5,"label":"PER"},{"start":2,"end":5,"label":"PER"}]',
        'Ada',
      ],
    ],
    [
      { form: 'boxes', labels: ['cat'] },
      'https://pictures.example/1.jpg',
      ['[{"x":0,"y":10.5,"width":100,"height":20,"label":"cat"}]', '[]'],
      [
        '[{"x":50,"y":10,"width":60,"height":20,"label":"cat"}]',
        '[{"x":50,"y":10,"width":0,"height":20,"label":"cat"}]',
        '[{"x":50,"y":10,"width":"1","height":20,"label":"cat"}]',
        '[[1,2,3,4]]',
      ],
    ],
  ];

  it('refuse deliveries that do not fit, whatever judges them, and leave the unit', async () => {
    for (const [template, payload, fitting, others] of FITTING) {
      const fields = { template, units: unitsOf(payload), overlap: fitting.length };
      const { taskId } = await openPool(platform, fields);
      for (const answer of fitting) {
        const worker = await platform.agent();
        const { claim_id, template: shown } = await take(platform, taskId, worker);
        expect(JSON.parse(shown.content)).to.deep.equal(template);
        const before = await walletOf(platform, worker);
        for (const wrong of others) {
          const reply = await deliver(platform, { taskId, key: worker.key }, claim_id, wrong);
          const { failures } = refused(reply, 'verification_failed');
          expect(failures.content[0].rule, wrong).to.equal('/template/form');
        }
        expect(await walletOf(platform, worker)).to.deep.equal(before);
        const { status } = done(
          await deliver(platform, { taskId, key: worker.key }, claim_id, answer),
        );
        expect(status, answer).to.equal('verifying');
      }
    }
  });

  it('keep labels as they were sent, with the joiners of words and emoji', async () => {
    const labels = ['می‌خواهم', '👨‍👩‍👧‍👦', 'क्‍ष', '❤️', 'e\u0301t\u00e9', 'Ville de Paris'];
    const template = { form: 'classification', labels };
    const { taskId } = await openPool(platform, { template, units: unitsOf(...labels) });
    const worker = await platform.agent();
    for (const label of labels) {
      const { claim_id, template: shown } = await take(platform, taskId, worker);
      expect(JSON.parse(shown.content).labels).to.deep.equal(labels);
      done(await deliver(platform, { taskId, key: worker.key }, claim_id, label));
    }
  });

  it('say of a label what the documents say', async () => {
    const poster = await platform.agent({ usd: 5 });
    const template = { ...ANIMALS, labels: ['a;b'] };
    const reply = await postLabor(platform, poster, { template });
    const { fields } = refused(reply, 'validation_error');
    expect(fields[0].message).to.equal(LABEL_RULE);
    const text = await readFile(new URL('../../docs/boards/labor.md', import.meta.url), 'utf8');
    expect(text).to.include(`A label ${LABEL_RULE}.`);
  });

  it('take quotation marks of any kind', () => {
    const rules = { kind: 'labeling', similarity: 1 } as const;
    for (const other of ['“cat”', '„Cat“', '["cat"]', '[“cat”]', '"cat"']) {
      expect(agrees(rules, 'cat', other), other).to.equal(true);
    }
    expect(agrees(rules, '[“cat”, “dog”]', 'dog; cat')).to.equal(true);
  });

  it('judge by consensus what fits, in any spelling of a label', async () => {
    const { taskId, poster } = await openPool(platform, {
      template: ANIMALS,
      verification: 'consensus',
      overlap: 2,
      units: unitsOf('first'),
    });
    for (const answer of ['"cat"', 'CAT']) {
      const worker = await platform.agent();
      const { claim_id } = await take(platform, taskId, worker);
      done(await deliver(platform, { taskId, key: worker.key }, claim_id, answer));
    }
    // Both are new, so the poster decides: once, for both.
    const [waiting] = await claimsAs(platform, poster, taskId);
    const id = Number(waiting!.claim_id);
    const call = { taskId, key: poster.key };
    done(await labor(platform, `claims/${id}/judge`, call, { verdict: 'accept' }));
    const statuses = (await claimsAs(platform, poster, taskId)).map(({ status }) => status);
    expect(statuses).to.deep.equal(['accepted', 'accepted']);
  });

  it('count punctuation where they say so', () => {
    const rules = { kind: 'transcription', similarity: 0.9 } as const;
    const strict = { ...rules, template: { form: 'transcription', punctuation: true } as const };
    const [one, other] = ["Let's eat, grandma.", "Let's eat grandma"];
    expect([agrees(rules, one, other), agrees(strict, one, other)]).to.deep.equal([true, false]);
    expect(agrees(strict, one, 'let’s eat ,grandma .')).to.equal(true);
    // A mark is a word like others: of twenty, one may differ.
    const long = 'one two three four five six seven eight nine alpha beta gamma delta';
    expect(agrees(strict, `${long}.`, long)).to.equal(true);
  });
});
