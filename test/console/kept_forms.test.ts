import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { owner } from './browser_like.ts';

describe('the forms of the console that are refused', () => {
  let platform: TestPlatform;
  before(async () => (platform = await TestPlatform.open({ workers: false })));
  after(() => platform.close());

  it('keep what was entered, beside what is no text and what is too long', async () => {
    const { browser, agent } = await owner(platform);
    const words = 'Words that nobody wants to type again';
    for (const [path, action, field, other] of [
      ['/console/work', '/console/do/task_post', 'title', 'description'],
      ['/console/selling/new', '/console/do/create_product', 'items', 'description'],
      ['/console/account', '/console/account/settings', 'ask_above', ''],
    ] as const) {
      for (const [text, status, said] of [
        ['a\u0000b', 422, 'Remove the characters shown as'],
        ['x'.repeat(300_000), 413, 'Shorten it'],
        ['\n'.repeat(200_000), 422, ''],
      ] as const) {
        const filled = { [field]: text, ...(other && { [other]: words }) };
        const reply = await browser.submit(await browser.get(path), action, filled);
        const about = `${action} ${field} ${text.length}`;
        expect(reply.status, about).to.equal(status);
        expect(reply.text, about).to.include(said).and.include('role="alert"');
        if (other) expect(reply.text, about).to.include(words);
      }
    }
    const posted = await platform.query('select from task where poster_id = $1', [agent.id]);
    expect(posted).to.deep.equal([]);
  });

  it('of more than can be read say how to go on', async () => {
    const { browser } = await owner(platform);
    const page = await browser.get('/console/work');
    const far = await browser.submit(page, '/console/do/task_post', {
      title: 'x'.repeat(900_000),
    });
    expect(far.status).to.equal(413);
    expect(far.text).to.include('Go back: your browser keeps what you entered.');
    const filled = { title: 'x'.repeat(9_000) };
    browser.cookies.clear();
    const over = await browser.submit(page, '/console/do/task_post', filled);
    expect(over.status).to.equal(413);
    expect(over.text).to.include('You are signed out.').and.include('in another tab');
  });
});
