import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { TestPlatform } from '../../harness.ts';
import type { NameServer } from '../../name_server.ts';
import { startZone } from '../zone.ts';

describe('files of addresses as files', function () {
  this.timeout(120_000);

  let platform: TestPlatform;
  let names: NameServer;
  let agent: Awaited<ReturnType<TestPlatform['agent']>>;
  before(async () => {
    names = await startZone({ 'mail.example': { MX: ['mx.mail.example'] } });
    platform = await TestPlatform.open({ env: { DNS_SERVERS: names.address } });
    agent = await platform.agent();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await names.close();
  });

  async function upload(body: string | Buffer | FormData, query = '', headers = {}) {
    const sent =
      typeof body === 'string' || body instanceof FormData
        ? body
        : new Blob([body as Uint8Array<ArrayBuffer>]);
    const reply = await fetch(`${platform.url}/api/v1/email/files/upload${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.key}`, ...headers },
      body: sent,
    });
    return { status: reply.status, body: JSON.parse(await reply.text()) };
  }
  const csvOf = (fileId: number, key = agent.key) =>
    fetch(`${platform.url}/api/v1/email/files/${fileId}/results.csv`, {
      headers: { authorization: `Bearer ${key}` },
    });
  const fileCount = async (): Promise<number> =>
    (await platform.query('select count(*)::int as n from email_file'))[0].n;

  it('takes a file as the body, and gives it back as CSV with its results', async () => {
    const rows = [
      'id,email,note',
      '1,ada@mail.example,"x, ""y"""',
      '2,,=1+1',
      '3,ADA@mail.example',
    ];
    const { status, body } = await upload(rows.join('\n'), '?name=spring.csv');
    expect([status, body.name, body.row_count]).to.deep.equal([200, 'spring.csv', 3]);
    const path = `POST /api/v1/email/files/${body.file_id}/validate?wait=25`;
    const { body: done } = await platform.request(path, { key: agent.key, body: {} });
    expect(done).to.include({ status: 'complete', charged: 0.004 });
    const reply = await csvOf(body.file_id);
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.match(/^text\/csv/);
    expect(reply.headers.get('content-disposition')).to.match(/attachment; filename="[\w-]+\.csv"/);
    const lines = (await reply.text()).split('\r\n');
    expect(lines[0]).to.match(/^id,email,note,result_status,result_sub_status,result_score,/);
    expect(lines[1]).to.match(
      /^1,ada@mail\.example,"x, ""y""",deliverable,domain_accepts_mail,0\.8,true,/,
    );
    expect(lines[2]).to.match(/^2,,=1\+1,,,,/);
    expect(lines[3]).to.match(/^3,ADA@mail\.example,,deliverable,/);
    expect(lines.slice(4)).to.deep.equal(['']);
  });

  it('gives back no formula of ours, whatever stays in the cells of the file', async () => {
    const { body } = await upload('email\nmailto:=cmd@mail.example\n+a@mail.example.\n');
    const path = `POST /api/v1/email/files/${body.file_id}/validate?wait=25`;
    await platform.request(path, { key: agent.key, body: {} });
    const text = await (await csvOf(body.file_id)).text();
    const [, , plus = ''] = text.split('\r\n');
    expect(plus).to.match(/^\+a@mail\.example\.,undeliverable,/);
    expect(plus.split(',')).to.include("'+a@mail.example");
  });

  it('takes a form with the file and its fields', async () => {
    const form = new FormData();
    form.set('column', 'second');
    form.set('file', new Blob(['email,second\na@mail.example,b@mail.example\n']), 'two.csv');
    const { body } = await upload(form);
    expect(body).to.include({ name: 'two.csv', email_column: 'second', addresses: 1 });
    const empty = new FormData();
    empty.set('column', 'second');
    expect((await upload(empty)).status).to.equal(400);
    const broken = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await upload('no form', '', broken)).status).to.equal(400);
  });

  for (const [what, encoded] of [
    ['UTF-16 with its mark', Buffer.from('\ufeffname,email\nÅsa,a@mail.example\n', 'utf16le')],
    ['UTF-8 with its mark', Buffer.from('\ufeffname,email\nÅsa,a@mail.example\n')],
    ['Windows-1252', Buffer.from('name,email\nÅsa,a@mail.example\n', 'latin1')],
  ] as const) {
    it(`reads ${what}`, async () => {
      const { body } = await upload(encoded);
      expect(body.columns).to.deep.equal(['name', 'email']);
      const text = await (await csvOf(body.file_id)).text();
      expect(text.split('\r\n')[1]).to.match(/^Åsa,a@mail\.example,/);
    });
  }

  it('takes 100 000 rows at once, whose cells have line ends and quotation marks', async () => {
    const note = (n: number) => (n % 7 === 0 ? `"two\nlines, ""${n}"""` : `note ${n}`);
    const rows = Array.from(
      { length: 100_000 },
      (_, n) => `${note(n)},n${n % 90_000}@mail.example`,
    );
    const { status, body } = await upload(`note,email\n${rows.join('\n')}\n`);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body).to.include({ row_count: 100_000, addresses: 90_000, price: 180 });
    const text = await (await csvOf(body.file_id)).text();
    expect(text.split('@mail.example,').length - 1).to.equal(100_000);
    expect(text).to.contain('"two\nlines, ""99995""",n9995@mail.example,,');
    const one = await upload(`email\n${'a@mail.example\n'.repeat(100_001)}`);
    expect([one.status, one.body.error]).to.deep.equal([413, 'payload_too_large']);
  });

  it('keeps nothing of a file with a row that is refused', async () => {
    const before = await fileCount();
    const rows = Array.from({ length: 20_000 }, (_, n) => `{"email":"n${n}@mail.example"}`);
    const { status, body } = await upload([...rows, '{"email":'].join('\n'));
    expect([status, body.error]).to.deep.equal([422, 'validation_error']);
    const large = await upload(`email,x\na@mail.example,${'x'.repeat(200_001)}\n`);
    expect(large.status).to.equal(422);
    expect((await upload('')).status).to.equal(422);
    expect((await upload('a@mail.example', '?format=xls')).status).to.equal(422);
    expect(await fileCount()).to.equal(before);
  });

  it('is one upload with one key', async () => {
    const rows = Array.from({ length: 30_000 }, (_, n) => `n${n}@mail.example`).join('\n');
    const before = await fileCount();
    const headers = { 'idempotency-key': 'one-upload' };
    const [first, second] = [await upload(rows, '', headers), await upload(rows, '', headers)];
    expect(first.body).to.include({ row_count: 30_000 });
    expect(second.body).to.deep.equal(first.body);
    expect(await fileCount()).to.equal(before + 1);
  });

  it('is read by nobody without a key, and given to nobody else', async () => {
    const { body } = await upload('a@mail.example');
    const other = await platform.agent();
    expect((await csvOf(body.file_id, other.key)).status).to.equal(404);
    expect((await csvOf(body.file_id, '')).status).to.equal(401);
    const before = await fileCount();
    const large = 'a@mail.example\n'.repeat(2_000);
    const refused = await upload(large, '', { authorization: '' });
    expect([refused.status, refused.body.error]).to.deep.equal([401, 'authentication_required']);
    expect(await fileCount()).to.equal(before);
  });
});
