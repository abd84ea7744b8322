import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

import { expect } from 'chai';

import { withFiles } from './file_calls.ts';

/** Files as programs and people send them. */
describe('a file of addresses as it is sent', () => {
  const files = withFiles({ 'mail.example': { MX: ['mx.mail.example'] } });
  let key: string;
  before(async () => {
    ({ key } = await files.platform.agent());
  });

  async function upload(body: string | Buffer | FormData, query = '', headers = {}) {
    const isBytes = Buffer.isBuffer(body);
    const reply = await fetch(`${files.platform.url}/api/v1/email/files/upload${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: isBytes ? new Blob([body as Uint8Array<ArrayBuffer>]) : body,
    });
    return { status: reply.status, body: JSON.parse(await reply.text()) };
  }
  const rowsOf = async (fileId: number): Promise<{ cells: string[] }[]> =>
    (await files.platform.request(`GET ${files.path(fileId)}/results`, { key })).body.rows;

  for (const [what, text, rows] of [
    ['CRLF and then LF', 'email,n\r\na@m.example,1\nb@m.example,2\nc@m.example,3\n', 3],
    ['LF and then CRLF', 'email,n\na@m.example,1\nb@m.example,2\r\nc@m.example,3\r\n', 3],
    ['CR and LF', 'email;n\ra@m.example;1\nb@m.example;2\rc@m.example;3', 3],
    ['an empty line at first', '\r\nemail\na@m.example\nb@m.example\n', 2],
    ['one of JSON after the other', '{"email":"a@m.example"}\r{"email":"b@m.example"}\r\n', 2],
  ] as const) {
    it(`has one row a line, whatever ends it: ${what}`, async () => {
      const { body } = await upload(text);
      expect(body).to.include({ row_count: rows, addresses: rows });
      expect(JSON.stringify(await rowsOf(body.file_id))).not.to.contain('\\r');
    });
  }

  it('keeps line ends within quotation marks as they are', async () => {
    const { body } = await upload('email,n\r\na@m.example,"1\r\n2"\nb@m.example,"""\r"\n');
    const rows = await rowsOf(body.file_id);
    expect(rows.map(({ cells }) => cells[1])).to.deep.equal(['1\r\n2', '"\r']);
  });

  it('has names in quotation marks, also alone in their line', async () => {
    for (const text of ['"email"\na@m.example\n', '"email"\n"a@m.example"\n']) {
      const { body } = await upload(text);
      expect(body).to.deep.include({ columns: ['email'], row_count: 1, addresses: 1 });
    }
    const { body } = await upload('"a@m.example"\nb@m.example');
    expect(body).to.include({ row_count: 2, addresses: 2 });
  });

  it('has the characters of Windows-1252 that ISO-8859-1 lacks', async () => {
    const bytes = [...Buffer.from('name,email\n'), 0x93, 0x71, 0x94, 0x35, 0x80];
    const { body } = await upload(Buffer.from([...bytes, ...Buffer.from(',a@mail.example\n')]));
    expect((await rowsOf(body.file_id))[0]!.cells[0]).to.equal('“q”5€');
  });

  it('is of the encoding that is named, if that is known', async () => {
    const bytes = [...Buffer.from('name,email\n'), 0xc0, 0xed, 0xed, 0xe0];
    const sent = Buffer.from([...bytes, ...Buffer.from(',a@mail.example\n')]);
    const { body } = await upload(sent, '', { 'content-type': 'text/csv; charset=windows-1251' });
    expect((await rowsOf(body.file_id))[0]!.cells[0]).to.equal('Анна');
    const unknown = await upload('a@b.c', '', { 'content-type': 'text/csv; charset=klingon' });
    expect([unknown.status, unknown.body.error]).to.deep.equal([400, 'bad_request']);
  });

  it('is UTF-16 also without its mark', async () => {
    const { body } = await upload(Buffer.from('name,email\nAda,a@mail.example\n', 'utf16le'));
    expect((await rowsOf(body.file_id))[0]!.cells).to.deep.equal(['Ada', 'a@mail.example']);
  });

  for (const [what, bytes, says] of [
    ['a spreadsheet', [0x50, 0x4b, 3, 4], 'save the sheet as CSV'],
    ['a compressed file', [0x1f, 0x8b, 8, 0], 'unpack it'],
    ['a picture', [0x89, 0x50, 0x4e, 0x47], 'is a picture'],
    ['a program', [0x7f, 0x45, 0, 0x46, 0, 0], 'is binary'],
    ['of one NUL', Buffer.from('email\na@m.example\nb\0@m.example\n'), 'is binary'],
  ] as const) {
    it(`is refused if it is ${what}, in words that help`, async () => {
      const { status, body } = await upload(Buffer.from(bytes));
      expect([status, body.error]).to.deep.equal([422, 'validation_error']);
      expect(body.details.fields[0]).to.include({ pointer: '/file' });
      expect(body.details.fields[0].message).to.contain(says);
    });
  }

  it('is refused beside fields that it does not have, and beside another', async () => {
    for (const [query, name] of [
      ['?colum=2', 'colum'],
      ['?column=a&column=b', 'column'],
    ]) {
      const { status, body } = await upload('a@mail.example', query);
      expect(status).to.equal(422);
      expect(body.details.fields[0].pointer).to.equal(`/${name}`);
    }
    const form = new FormData();
    form.append('file', new Blob(['a@mail.example']), 'a.csv');
    form.append('file', new Blob(['b@mail.example']), 'b.csv');
    expect((await upload(form)).status).to.equal(400);
  });

  it('is a form also with text around it, and with its boundary within the file', async () => {
    const part = 'content-disposition: form-data; name="file"; filename="a.csv"';
    const sent = (ends: string) =>
      Buffer.from(
        `around\r\n--b.1\r\n${part}\r\n\r\nemail,n\r\na@m.example,--b.1\r\n--b.1é,2${ends}`,
      );
    for (const boundary of ['b.1', '"b.1"']) {
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      const { body } = await upload(sent('\r\n--b.1--\r\naround'), '', headers);
      expect(body).to.include({ name: 'a.csv', row_count: 2, addresses: 1 });
      const cells = (await rowsOf(body.file_id)).map((row) => row.cells);
      expect(cells).to.deep.equal([
        ['a@m.example', '--b.1'],
        ['--b.1é', '2'],
      ]);
      expect((await upload(sent(''), '', headers)).status, 'cut off').to.equal(400);
    }
  });

  it('says in which line of the whole file a fault is, empty ones and names included', async () => {
    const rows = (row: (n: number) => string) => Array.from({ length: 9_000 }, (_, n) => row(n));
    const objects = rows((n) => `{"email":"n${n}@mail.example"}`);
    const cells = ['sep=;', 'email;note', ...rows((n) => `n${n}@mail.example;"x"`)];
    for (const [lines, line, says] of [
      [[...objects, '', '{"email":'], 9_002, 'in line 9002.'],
      [['', '', '7'], 3, 'in line 3.'],
      [[...cells, '', 'a@mail.example;"x'], 9_004, 'in line 9004.'],
    ] as const) {
      expect(lines).to.have.length(line);
      const { status, body } = await upload(lines.join('\r\n'), line === 3 ? '?format=jsonl' : '');
      expect([status, body.error]).to.deep.equal([422, 'validation_error']);
      expect(body.message).to.contain(says);
    }
  });

  it('is refused before it is sent, if it says that it is too long', async () => {
    const headers = { authorization: `Bearer ${key}`, 'content-length': 99_999_999_999 };
    const sent = request(`${files.platform.url}/api/v1/email/files/upload`, {
      method: 'POST',
      headers,
    });
    sent.flushHeaders();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect(answer.statusCode).to.equal(413);
    sent.on('error', () => undefined).destroy();
  });

  it('charges a repeated address where it stands first', async () => {
    const { body } = await upload('a@mail.example\nA@mail.example\na@MAIL.example\n');
    const path = `POST ${files.path(body.file_id)}/validate?wait=25`;
    expect((await files.platform.request(path, { key, body: {} })).body.charged).to.equal(0.004);
    const rows = (await rowsOf(body.file_id)) as unknown as { result: { charged: number } }[];
    expect(rows.map(({ result }) => result.charged)).to.deep.equal([0.002, 0.002, 0]);
  });
});
