import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import type { NameServer } from '../name_server.ts';
import { startZone } from '../email/zone.ts';
import { BrowserLike, owner } from './browser_like.ts';

const LISTS = '/console/emails';

describe('the pages of email lists', () => {
  let platform: TestPlatform;
  let names: NameServer;
  before(async () => {
    names = await startZone({ 'mail.example': { MX: ['mx.mail.example'] } });
    platform = await TestPlatform.open({ env: { DNS_SERVERS: names.address } });
  });
  after(async () => {
    await platform.close();
    await names.close();
  });

  /** Sends the form of an upload as a browser does. */
  async function upload(
    { cookies }: BrowserLike,
    content: string,
    {
      fields = {},
      headers = {},
      body,
    }: { fields?: Record<string, string>; headers?: object; body?: string } = {},
  ) {
    const form = new FormData();
    for (const [name, value] of Object.entries({ _back: LISTS, column: '', ...fields })) {
      form.set(name, value);
    }
    form.set('file', new Blob([content]), 'spring.csv');
    const reply = await fetch(`${platform.url}${LISTS}/upload`, {
      method: 'POST',
      headers: {
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
      },
      body: body ?? form,
      redirect: 'manual',
    });
    const location = reply.headers.get('location');
    return { status: reply.status, location, text: await reply.text() };
  }

  it('take a file, say what it costs, validate it, and give it back', async () => {
    const { agent, browser } = await owner(platform);
    const page = await browser.get(LISTS);
    expect(page.text).to.include('enctype="multipart/form-data"').and.to.include('No lists yet');
    const sent = await upload(browser, 'name,email\n<b>Ada</b>,ada@mail.example\nBob,n/a\n');
    expect([sent.status, sent.location]).to.deep.equal([303, `${LISTS}/1`]);
    expect((await browser.get(LISTS)).text)
      .to.include('spring.csv')
      .and.to.include('$0.002');
    const list = await browser.get(`${LISTS}/1`);
    expect(list.text)
      .to.include('2 rows, 1 different address in the')
      .and.to.include('Validate 1 address')
      .and.to.include('It costs $0.002 at most')
      .and.to.include('&lt;b>Ada&lt;/b>')
      .and.not.to.include('<b>Ada');
    const done = await browser.submit(list, '/console/do/validate_email_file');
    expect([done.status, done.location]).to.deep.equal([
      303,
      `${LISTS}/1?done=validate_email_file`,
    ]);
    const after = await browser.get(done.location!);
    expect(after.text).to.include('deliverable: Domain accepts mail').and.to.include('Paid so far');
    expect(after.text).to.not.include('Validate 1 address');
    expect(await platform.balance(agent)).to.equal(0.498);
    const csv = await browser.get(`${LISTS}/1/results.csv`);
    expect(csv.headers.get('content-disposition')).to.include('attachment');
    expect(csv.text.split('\r\n')[1]).to.match(/^<b>Ada<\/b>,ada@mail.example,deliverable,/);
    const gone = await browser.submit(after, '/console/do/delete_email_file');
    expect(gone.location).to.equal(`${LISTS}?done=delete_email_file`);
    expect((await browser.get(`${LISTS}/1`)).status).to.equal(404);
  });

  it('say in words for people what is wrong with a file', async () => {
    const { browser } = await owner(platform);
    for (const [content, fields, said] of [
      ['', {}, 'The file has no rows.'],
      ['name,phone\nAda,1\n', {}, 'The file has no column of addresses.'],
      ['email\n"a@mail.example\n', {}, 'a quotation mark that does not end in line'],
      [
        '{"email":"a@mail.example"}\n[]',
        {},
        'The file has neither an object nor a text in line 2.',
      ],
      [
        'email\na@mail.example',
        { column: 'mail' },
        'The columns of the file are &quot;email&quot;.',
      ],
    ] as const) {
      const { status, text } = await upload(browser, content, { fields });
      expect(status).to.equal(422);
      expect(text).to.include(said).and.to.include('id="upload"');
    }
    const none = await upload(browser, '', {
      headers: { 'content-type': 'multipart/form-data; boundary=end' },
      body:
        '--end\r\nContent-Disposition: form-data; name="file"; filename=""\r\n' +
        'Content-Type: application/octet-stream\r\n\r\n\r\n--end--\r\n',
    });
    expect(none.status).to.equal(422);
    expect(none.text)
      .to.include('href="#upload_email_file-file">File</a>: Choose a file first.')
      .and.include('id="upload_email_file-file"');
    expect((await browser.get(LISTS)).text).to.include('No lists yet');
  });

  it('are for their owner, who is asked from here', async () => {
    const { browser } = await owner(platform);
    const { location } = await upload(browser, 'a@mail.example');
    const { browser: other, agent } = await owner(platform);
    expect((await other.get(location!)).status).to.equal(404);
    expect((await other.get(`${location}/results.csv`)).status).to.equal(404);
    const nobody = new BrowserLike(platform);
    expect((await nobody.get(`${location}/results.csv`)).status).to.equal(401);
    expect((await upload(nobody, 'a@mail.example')).status).to.equal(401);
    const elsewhere = await upload(browser, 'a@mail.example', {
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    });
    expect(elsewhere.status).to.equal(403);
    const fields = { _account: agent.username };
    const { status, text } = await upload(browser, 'a@mail.example', { fields });
    expect([status, text.includes('under another account')]).to.deep.equal([403, true]);
    const count = 'select count(*)::int as n from email_file where agent_id = $1';
    expect(await platform.query(count, [agent.id])).to.deep.equal([{ n: 0 }]);
  });
});
