import { expect } from 'chai';

import type { Assertion, ResultCheck } from '../../shared/domains/verification/result_check.ts';
import { openVerification } from '../../workers/gateways/verification/verification.ts';

const TREE = { tree: 1 };

const SEA = {
  type: 'object',
  required: ['name', 'km2'],
  properties: { name: { type: 'string', pattern: '^\\p{Lu}' }, km2: { type: 'integer' } },
  additionalProperties: false,
};

/** Judges results by the checks of agents, in processes. */
describe('the verification of results', () => {
  const verification = openVerification();
  const faults = (check: object) => verification.faultsOf(check as ResultCheck, TREE);
  const judge = (check: object, result: string) =>
    verification.judge(check as ResultCheck, result, TREE);
  const passes = async (check: object, result: string) => (await judge(check, result)).passes;
  const that = (...assertions: Assertion[]) => ({ assertions });

  it('judges by a schema, and says where a result does not fit, and by which rule', async () => {
    const check = { json_schema: SEA };
    expect(await faults(check)).to.deep.equal([]);
    expect(await passes(check, '{"name": "Aral", "km2": 68000}')).to.equal(true);
    const { failures } = await judge(check, '{"name": "aral", "depth": 1}');
    expect(failures.map(({ pointer, rule }) => [pointer, rule])).to.have.deep.members([
      ['', '#/required'],
      ['', '#/additionalProperties'],
      ['/name', '#/properties/name/pattern'],
    ]);
    expect((await judge(check, 'Aral')).failures).to.deep.equal([
      { pointer: '', message: 'is not JSON', rule: '' },
    ]);
  });

  it('keeps patterns, formats and the two drafts apart', async () => {
    const both = {
      type: 'array',
      prefixItems: [{ pattern: '^a+$' }, { pattern: '^b+$' }, { format: 'date' }],
    };
    expect(await passes({ json_schema: both }, '["aa", "bb", "2026-02-28"]')).to.equal(true);
    expect(await passes({ json_schema: both }, '["aa", "aa", "2026-02-28"]')).to.equal(false);
    expect(await passes({ json_schema: both }, '["aa", "bb", "2026-02-30"]')).to.equal(false);
    const old = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'integer' }],
      additionalItems: false,
    };
    expect(await faults({ json_schema: old })).to.deep.equal([]);
    expect(await passes({ json_schema: old }, '[1]')).to.equal(true);
    expect(await passes({ json_schema: old }, '[1, 2]')).to.equal(false);
  });

  for (const { what, schema, pointer, says } of [
    { what: 'a keyword unknown', schema: { typ: 'object' }, pointer: '', says: '"typ"' },
    {
      what: 'a keyword with a wrong value',
      schema: { properties: { a: { type: 'text' } } },
      pointer: '/properties/a/type',
      says: 'must be',
    },
    { what: 'an unknown format', schema: { format: 'regex' }, pointer: '', says: 'format "regex"' },
    { what: 'a pattern that is none', schema: { pattern: '(' }, pointer: '', says: 'missing' },
    {
      what: 'a pattern that RE2 has not',
      schema: { pattern: '(?=a)b' },
      pointer: '',
      says: '(?=',
    },
    {
      what: 'a reference to elsewhere',
      schema: { items: { $ref: 'https://example.com/schema.json' } },
      pointer: '/items/$ref',
      says: 'into the schema itself',
    },
    { what: 'a reference to nothing', schema: { $ref: '#/$defs/a' }, pointer: '', says: '$defs/a' },
    { what: 'a name of its own', schema: { $id: 'a' }, pointer: '/$id', says: 'not used' },
    { what: 'answers that come later', schema: { $async: true }, pointer: '/$async', says: '' },
    {
      what: 'another dialect',
      schema: { $schema: 'http://json-schema.org/draft-04/schema#' },
      pointer: '/$schema',
      says: '2020-12 or draft-07',
    },
    {
      what: 'more than 16 000 characters',
      schema: { enum: Array.from({ length: 4_000 }, (_, n) => n + 1_000) },
      pointer: '',
      says: '16000',
    },
    {
      what: 'more than 24 levels',
      schema: Array.from({ length: 13 }).reduce<object>(
        (inner) => ({ not: inner, allOf: [inner] }),
        {},
      ),
      pointer: '',
      says: 'characters',
    },
  ]) {
    it(`finds what is wrong with a schema: ${what}`, async () => {
      const [fault] = await faults({ json_schema: schema });
      expect(fault?.pointer).to.equal(`/json_schema${pointer}`);
      expect(fault?.message).to.include(says);
    });
  }

  it('judges by statements, of the text or of a value in it', async () => {
    const check = that(
      { op: 'contains', value: 'sea' },
      { op: 'regex', value: '^\\d{4}$', path: '/years/1' },
      { op: 'min_length', value: 2, path: '/years' },
      { op: 'max_length', value: 3, path: '/a~1b' },
      { op: 'equals', value: null, path: '/c' },
    );
    expect(await faults(check)).to.deep.equal([]);
    const result = { sea: true, years: ['1', '1960'], 'a/b': '😀😀😀', c: null };
    expect((await judge(check, JSON.stringify(result))).failures).to.deep.equal([]);
    const wrong = { years: ['1960'], 'a/b': '😀😀😀😀', c: 0 };
    expect((await judge(check, JSON.stringify(wrong))).failures).to.deep.equal([
      { pointer: '', message: 'does not contain the value', rule: '/assertions/0' },
      { pointer: '/years/1', message: 'is missing', rule: '/assertions/1' },
      { pointer: '/years', message: 'has a length of 1', rule: '/assertions/2' },
      { pointer: '/a~1b', message: 'has a length of 4', rule: '/assertions/3' },
      { pointer: '/c', message: 'is another value', rule: '/assertions/4' },
    ]);
    expect((await judge(check, 'The sea.')).failures).to.deep.equal([
      { pointer: '', message: 'is not JSON', rule: '/assertions' },
    ]);
    const inherited = that({ op: 'min_length', value: 0, path: '/__proto__/constructor/name' });
    expect(await passes(inherited, '{}')).to.equal(false);
    for (const op of [
      { op: 'min_length', value: 0, path: '/__proto__' },
      { op: 'equals', value: 1, path: '/length' },
    ] as const) {
      expect(await passes(that(op), '[0]'), op.path).to.equal(false);
    }
  });

  it('finds what is wrong with statements, each by its number', async () => {
    const check = that(
      { op: 'contains', value: 1 },
      { op: 'regex', value: '(' },
      { op: 'regex', value: '(a)\\1' },
      { op: 'min_length', value: -1 },
      { op: 'max_length', value: '3' },
      { op: 'equals', value: 'a' },
      { op: 'contains', value: 'a', path: 'b' },
      { op: 'contains', value: 'a', path: '' },
    );
    expect((await faults(check)).map(({ pointer }) => pointer)).to.deep.equal([
      '/assertions/0/value',
      '/assertions/1/value',
      '/assertions/2/value',
      '/assertions/3/value',
      '/assertions/4/value',
      '/assertions/5/path',
      '/assertions/6/path',
    ]);
  });
});
