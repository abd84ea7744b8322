import { expect } from 'chai';
import type { EntityManager } from 'typeorm';

import { transact } from '../../shared/platform/database.ts';
import {
  column,
  execute,
  jsonOf,
  nullable,
  oneOf,
  row,
  rows,
  type Column,
} from '../../shared/platform/rows.ts';
import { TestPlatform } from '../harness.ts';

describe('rows of a statement', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  /** The value of one SQL expression, read as this column. */
  async function valueOf<T>(kind: Column<T>, expression: string): Promise<T> {
    const found = await row(platform.context.database, { it: kind }, `select ${expression} as it`);
    return found.it;
  }

  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: Error) => error.message,
    );

  /** Three rows of a table that is gone after the transaction. */
  const withTable = <T>(work: (db: EntityManager) => Promise<T>): Promise<T> =>
    transact(platform.context.database, async (db) => {
      await db.query('create temporary table thing (id bigint, name text) on commit drop');
      await db.query(`insert into thing values (1, 'a'), (2, 'b'), (3, null)`);
      return work(db);
    });

  describe('are read by the kind of each column', () => {
    for (const [name, kind, expression, value] of [
      ['id', column.id, '7::bigint', 7],
      ['id', column.id, '7::int', 7],
      ['id', column.id, '9007199254740991::bigint', 9_007_199_254_740_991],
      ['int', column.int, '-3', -3],
      ['float', column.float, '0.25::float8', 0.25],
      ['micros', column.micros, '9223372036854775807::bigint', 9_223_372_036_854_775_807n],
      ['micros', column.micros, '-5::int', -5n],
      ['text', column.text, `''`, ''],
      ['boolean', column.boolean, 'false', false],
      ['time', column.time, `'2026-01-02T03:04:05.678Z'::timestamptz`, new Date(1767323045678)],
      ['bytes', column.bytes, `'\\x00ff'::bytea`, Buffer.from([0, 255])],
      ['json', column.json, `'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
      ['ids', column.ids, 'array[1, 9007199254740991]::bigint[]', [1, 9_007_199_254_740_991]],
      ['ids', column.ids, 'array[]::int[]', []],
      ['texts', column.texts, `array['a', '']`, ['a', '']],
      ['oneOf', oneOf<'a' | 'b'>(), `'a'`, 'a'],
      ['jsonOf', jsonOf<{ a: number }>(), `'{"a": 1}'::jsonb`, { a: 1 }],
      ['nullable', nullable(column.id), '8::bigint', 8],
    ] as const) {
      it(`${name}: ${expression}`, async () => {
        expect(await valueOf(kind as Column<unknown>, expression)).to.deep.equal(value);
      });
    }

    it('null, where it is declared, and nowhere else', async () => {
      for (const [name, kind] of Object.entries(column)) {
        expect(await valueOf(nullable<unknown>(kind), 'null'), name).to.equal(null);
        if (name === 'json') continue; // In JSON, null is a value.
        expect(await failureOf(valueOf(kind as Column<unknown>, 'null')), name).to.match(/null/);
      }
    });
  });

  it('fail where a column holds another type than the one declared', async () => {
    for (const [kind, expression] of [
      [column.id, `'x'::text`],
      [column.id, `''::text`],
      [column.id, '1.5::float8'],
      [column.int, 'true'],
      [column.float, '1::bigint'],
      [column.micros, '1.5::float8'],
      [column.text, '7'],
      [column.boolean, `'true'`],
      [column.time, `'2026-01-02'::text`],
      [column.bytes, `'x'`],
      [column.ids, '7'],
      [column.ids, `array['x']`],
      [column.texts, 'array[1]'],
      [oneOf<'a'>(), '7'],
    ] as const) {
      const failure = await failureOf(valueOf(kind as Column<unknown>, expression));
      expect(failure, expression).to.match(/^a column holds \w+ and not /);
    }
  });

  it('hold no id of 2^53 or more: it would be another id as a number', async () => {
    for (const id of ['9007199254740992', '9007199254740993', '-9007199254740992']) {
      expect(await failureOf(valueOf(column.id, `${id}::bigint`)), id).to.match(/a whole number/);
      expect(await failureOf(valueOf(column.ids, `array[${id}]::bigint[]`)), id).to.match(
        /a whole number/,
      );
    }
  });

  it('fail where a column is missing, and where one was not declared', async () => {
    const { database } = platform.context;
    const both = { id: column.id, name: column.text };
    expect(await failureOf(rows(database, both, 'select 1 as id'))).to.match(
      /^columns id and not id, name: select 1 as id$/,
    );
    const one = { id: column.id };
    expect(await failureOf(rows(database, one, `select 1 as id, 'a' as name`))).to.match(
      /^columns id, name and not id: /,
    );
  });

  it('are those that the parameters choose, in order', async () => {
    const found = await withTable((db) =>
      rows(
        db,
        { id: column.id, name: nullable(column.text) },
        'select id, name from thing where id >= $1 order by id desc',
        [2],
      ),
    );
    expect(found).to.deep.equal([
      { id: 3, name: null },
      { id: 2, name: 'b' },
    ]);
  });

  it('are given back by INSERT, UPDATE and DELETE with RETURNING, too', async () => {
    const id = { id: column.id };
    for (const [sql, ids] of [
      [`insert into thing values (4, 'd'), (5, 'e') returning id`, [4, 5]],
      [`update thing set name = 'c' where id > 1 returning id`, [2, 3]],
      [`update thing set name = 'c' where id > 9 returning id`, []],
      ['delete from thing where id = 1 returning id', [1]],
      [
        `with c as (update thing set name = 'c' returning id) select id from c where id < 3`,
        [1, 2],
      ],
    ] as const) {
      const found = await withTable((db) => rows(db, id, sql));
      expect(
        found.map((one) => one.id),
        sql,
      ).to.have.members(ids);
    }
  });

  it('are exactly one where one is asked for', async () => {
    const { database } = platform.context;
    const id = { id: column.id };
    expect(await row(database, id, 'select 1 as id')).to.deep.equal({ id: 1 });
    expect(await failureOf(row(database, id, 'select 1 as id where false'))).to.match(/^0 rows /);
    expect(
      await failureOf(row(database, id, 'select n as id from generate_series(1, 2) n')),
    ).to.match(/^2 rows /);
  });

  it('are counted where only their number is asked for: those that were changed', async () => {
    for (const [sql, count] of [
      [`update thing set name = 'x' where id > 1`, 2],
      [`update thing set name = 'x' where id > 1 returning id, name`, 2],
      ['update thing set name = null where id = $1', 1],
      ['delete from thing where id = $1', 1],
      ['delete from thing where id > 9', 0],
    ] as const) {
      const changed = await withTable((db) => execute(db, sql, sql.includes('$1') ? [1] : []));
      expect(changed, sql).to.equal(count);
    }
  });
});
