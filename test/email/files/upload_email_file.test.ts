import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';

describe('upload_email_file', () => {
  let platform: TestPlatform;
  let agent: Awaited<ReturnType<TestPlatform['agent']>>;
  before(async () => {
    platform = await TestPlatform.open();
    agent = await platform.agent();
  });
  after(() => platform.close());

  const upload = (content: string, fields: object = {}, { key } = agent) =>
    platform.request('POST /api/v1/email/files', { key, body: { content, ...fields } });
  const resultsOf = async (fileId: number, query = '') =>
    (await platform.request(`GET /api/v1/email/files/${fileId}/results${query}`, agent)).body;

  for (const [what, content, expected] of [
    ['CSV with names', 'name,email\nAda,ada@a.example\nBob,bob@a.example\n', ['email', 2, 2]],
    ['CSV without names', 'Ada,ada@a.example\r\nBob,bob@a.example', ['column_2', 2, 2]],
    ['one address a line', 'ada@a.example\nbob@a.example\n\n', ['column_1', 2, 2]],
    ['semicolons', 'Mail;Name\nada@a.example;"Ada; the first"\n', ['Mail', 1, 1]],
    ['a name that begins like an archive', 'PK,email\n1,a@a.example\n', ['email', 1, 1]],
    ['tabs', 'n\tcontact\n1\tada@a.example\n', ['contact', 1, 1]],
    ['a byte order mark', '\ufeffemail\nada@a.example\n', ['email', 1, 1]],
    ['a line end within a cell', 'note,email\n"two\nlines",ada@a.example\n', ['email', 1, 1]],
    [
      'the column with most addresses',
      'by,email\nx@a.example,\ny@a.example,\nz@a.example,q@b.example\n',
      ['by', 3, 3],
    ],
    ['addresses twice', 'email\na@a.example\n A@A.example\na@A.EXAMPLE \n', ['email', 3, 2]],
    ['cells without an address', 'email\na@a.example\nn/a\nnone\n', ['email', 3, 1]],
    [
      'JSON objects',
      '{"id":1,"email":"a@a.example"}\n{"email":"b@a.example","x":{}}',
      ['email', 2, 2],
    ],
    [
      'JSON objects within objects, which are no addresses',
      '{"user":{"email":"a@a.example"},"to":"b@a.example","cc":["c@a.example","d@a.example"]}\n' +
        '{"user":{"email":"e@a.example"}}\n{"user":{"email":"f@a.example"},"to":{"x":"@"}}',
      ['to', 3, 1],
    ],
    ['the line for Excel', 'sep=|\r\nname|email\r\nAda, B.|ada@a.example\r\n', ['email', 1, 1]],
    ['line ends of old', 'email\ra@a.example\rb@a.example\r', ['email', 2, 2]],
    ['one line of addresses', 'a@a.example, b@a.example,c@a.example,', ['column_1', 4, 3]],
    [
      'names beside addresses',
      'to\nAda <ada@a.example>\nmailto:ada@a.example\n"""A"" <ada@a.example>"\n',
      ['to', 3, 1],
    ],
    ['JSON texts', '"a@a.example"\n"b@a.example"\n', ['column_1', 2, 2]],
  ] as const) {
    it(`reads ${what}`, async () => {
      const { status, body } = await upload(content);
      expect(status).to.equal(200);
      expect([body.email_column, body.row_count, body.addresses]).to.deep.equal(expected);
      expect(body).to.include({ status: 'uploaded', price: expected[2] * 0.002, job_id: null });
    });
  }

  it('takes the column that is named, or its number', async () => {
    const content = 'email,backup\na@a.example,b@a.example\n,c@a.example\n';
    for (const [column, addresses] of [
      ['backup', 2],
      ['BACKUP', 2],
      ['2', 2],
      ['email', 1],
    ] as const) {
      expect((await upload(content, { column })).body.addresses, column).to.equal(addresses);
    }
  });

  it('is continued in parts, and the rows come back as they were sent', async () => {
    const { body: first } = await upload('name;email\n"Å; ""x""";a@a.example\n', { name: 'List' });
    const next = { file_id: first.file_id, after: 1 };
    const { body } = await upload('=1+1;b@a.example;more\n\u200b;a@A.example', next);
    expect(body).to.include({ row_count: 3, addresses: 2, name: 'List' });
    expect(body.columns).to.deep.equal(['name', 'email', 'column_3']);
    const again = await upload('=1+1;b@a.example;more\n', next);
    expect([again.status, again.body.error]).to.deep.equal([409, 'invalid_transition']);
    expect(again.body.details).to.deep.include({ row_count: 3 });
    const { rows, has_more, next_cursor } = await resultsOf(first.file_id, '?limit=2');
    expect(has_more).to.equal(true);
    const rest = await resultsOf(first.file_id, `?limit=2&cursor=${next_cursor}`);
    expect(rest).to.include({ has_more: false, next_cursor: null });
    expect([...rows, ...rest.rows]).to.deep.equal([
      { row: 1, cells: ['Å; "x"', 'a@a.example'], result: null },
      { row: 2, cells: ['=1+1', 'b@a.example', 'more'], result: null },
      { row: 3, cells: ['\u200b', 'a@A.example'], result: null },
    ]);
  });

  it('takes 64 MB as they are stored, where each cell is quoted, and no more', async () => {
    const { body: file } = await upload('1,a@a.example,\n');
    const set = (bytes: number) =>
      platform.query('update email_file set bytes = $2 where id = $1', [file.file_id, bytes]);
    const mb = 1024 * 1024;
    await set(63 * mb);
    const part = { file_id: file.file_id, after: 1 };
    expect((await upload('1,b@a.example,\n', part)).body).to.include({ row_count: 2 });
    await set(64 * mb - 16);
    const { status, body } = await upload('1,c@a.example,\n', { ...part, after: 2 });
    expect([status, body.error]).to.deep.equal([413, 'payload_too_large']);
    expect(body.message).to.contain('64 MB');
    await platform.request(`DELETE /api/v1/email/files/${file.file_id}`, agent);
  });

  it('gives every value of JSON a cell, in whatever part its name first appears', async () => {
    const { body } = await upload('{"email":"a@a.example","n":1.5,"ok":true}\n');
    const next = { file_id: body.file_id, after: 1 };
    await upload('{"tags":["x"],"email":"b@a.example","n":null}\n', next);
    const { columns, rows } = await resultsOf(body.file_id);
    expect(columns).to.deep.equal(['email', 'n', 'ok', 'tags']);
    expect(rows.map(({ cells }: { cells: string[] }) => cells)).to.deep.equal([
      ['a@a.example', '1.5', 'true'],
      ['b@a.example', '', '', '["x"]'],
    ]);
  });

  for (const [what, content, fields, pointer] of [
    ['nothing', '', {}, '/content'],
    ['names alone', 'name,email\n', {}, '/content'],
    ['no address at all', 'name,phone\nAda,12\n', {}, '/content'],
    ['an open quotation mark', 'email\n"a@a.example\n', {}, '/content'],
    ['broken JSON', '{"email":"a@a.example"}\n{"email"', {}, '/content'],
    ['a list as JSON', '["a@a.example"]', { format: 'jsonl' }, '/content'],
    [
      'a number that loses digits',
      '{"email":"a@a.example","id":1610521604143693812}',
      {},
      '/content',
    ],
    [
      'a number in a list that loses digits',
      '{"email":"a@a.example","x":[{"id":1610521604143693812}]}',
      {},
      '/content',
    ],
    ['a JSON file', '[{"email":"a@a.example"}]', {}, '/content'],
    ['JSON over several lines', '{\n"email": "a@a.example"\n}', {}, '/content'],
    ['a comma after JSON', '{"email":"a@a.example"},\n{"email":"b@a.example"}', {}, '/content'],
    [
      'deep JSON',
      `{"email":"a@a.example","x":${'['.repeat(3_000)}${']'.repeat(3_000)}}`,
      {},
      '/content',
    ],
    [
      'deep short JSON',
      `{"email":"a@a.example","x":${'['.repeat(40)}${']'.repeat(40)}}`,
      {},
      '/content',
    ],
    ['NUL in a name', '{"email":"a@a.example","x\\u0000":1}', {}, '/content'],
    ['NUL in a value', '{"email":"a@a.example","x":"\\u0000"}', {}, '/content'],
    ['half a character', '{"email":"a@a.example","x":"\\ud800"}', {}, '/content'],
    ['a column that it has not', 'email\na@a.example', { column: 'mail' }, '/column'],
    ['column 0', 'email\na@a.example', { column: '0' }, '/column'],
    ['after without a file', 'email\na@a.example', { after: 1 }, '/after'],
    ['a format that is none', 'email\na@a.example', { format: 'xls' }, '/format'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { status, body } = await upload(content, fields);
      expect([status, body.error]).to.deep.equal([422, 'validation_error']);
      expect(body.details.fields[0].pointer).to.equal(pointer);
    });
  }

  it('refuses more than 100 000 rows, and keeps those of before', async () => {
    const many = (count: number) => '@\n'.repeat(count);
    const { body } = await upload(many(60_000));
    expect(body).to.include({ row_count: 60_000, addresses: 1 });
    const more = await upload(many(40_001), { file_id: body.file_id, after: 60_000 });
    expect([more.status, more.body.error]).to.deep.equal([413, 'payload_too_large']);
    const { body: kept } = await platform.request(`GET /api/v1/email/files/${body.file_id}`, agent);
    expect(kept.row_count).to.equal(60_000);
  });

  it('is found, shown and deleted by its agent alone', async () => {
    const other = await platform.agent();
    const { file_id } = (await upload('a@a.example')).body;
    const path = `/api/v1/email/files/${file_id}`;
    const listed = await platform.request('GET /api/v1/email/files?limit=1', agent);
    expect(listed.body.files[0]).to.include({ file_id, status: 'uploaded' });
    expect((await platform.request('GET /api/v1/email/files', other)).body.files).to.deep.equal([]);
    for (const call of [
      `GET ${path}`,
      `GET ${path}/results`,
      `POST ${path}/validate`,
      `DELETE ${path}`,
    ]) {
      const { status, body } = await platform.request(call, { key: other.key, body: {} });
      expect([status, body.error], call).to.deep.equal([404, 'not_found']);
    }
    const continued = await upload('b@a.example', { file_id, after: 1 }, other);
    expect(continued.status).to.equal(404);
    expect((await platform.request(`DELETE ${path}`, agent)).body).to.deep.equal({ deleted: true });
    expect((await platform.request(`GET ${path}`, agent)).status).to.equal(404);
    const left = await platform.query(
      `select 1 from email_file_part where file_id = $1
       union all select 1 from email_file_address where file_id = $1`,
      [file_id],
    );
    expect(left).to.deep.equal([]);
  });

  it('counts as storage of its tree, with a row for each address', async () => {
    const other = await platform.agent();
    const leave = (bytes: number) =>
      platform.query(
        `insert into dataset_upload (upload_id, agent_id, root_id, after, row_count, bytes, content)
         select 1000000 + n, $1, $1, 0, 1, case n when 15 then 16777216 - $2::int else 16777216 end,
                'x' from generate_series(0, 15) n`,
        [other.id, bytes],
      );
    await leave(300);
    const full = await upload('a@a.example\nb@a.example\nc@a.example', {}, other);
    expect([full.status, full.body.error]).to.deep.equal([413, 'payload_too_large']);
    expect((await upload('a@a.example', {}, other)).status).to.equal(200);
  });

  it('is encrypted where it is stored', async () => {
    const { file_id } = (await upload('email\nsecret.person@a.example\n')).body;
    const [row] = await platform.query(
      `select (select string_agg(a::text, '') from email_file_address a where a.file_id = $1)
              || ' ' || encode(p.content, 'escape') as all
         from email_file_part p where p.file_id = $1`,
      [file_id],
    );
    expect(row.all).to.not.contain('secret.person');
  });
});
