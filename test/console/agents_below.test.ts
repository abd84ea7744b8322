import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { openPool, work } from '../labor/pool.ts';
import { bidOn, done, openTask } from '../tasks/board.ts';
import { owner } from './browser_like.ts';

/** The view that an owner has of the agents below, and what it does for them. */
describe('the pages of an owner about the agents below', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  it('make, rotate and end the keys of the agent that is chosen, and of that alone', async () => {
    const { browser, agent } = await owner(platform);
    const { body } = await platform.request('POST /api/v1/agent/spawn', {
      key: agent.key,
      body: { agent_name: 'scout', permissions: ['read'] },
    });
    const scout = body.agent.agent_id as number;
    const path = `/console/keys?agent=${scout}`;
    for (const from of ['/console/agents', `/console/agents/${scout}`]) {
      expect((await browser.get(from)).text).to.include(`href="${path}"`);
    }
    const own = await browser.get('/console/keys');
    expect(own.text).to.include('Your keys').and.include(`<option value="${scout}">scout</option>`);
    const shown = await browser.get(path);
    expect(shown.text).to.include('Keys of scout').and.include(`agent_id=${scout}`);

    const made = await browser.submit(shown, '/console/do/create_key', { name: 'ci' });
    expect(made.status).to.equal(200);
    expect(made.text).to.include('Keys of scout');
    const [key] = /vnx_\w{8}_[\w-]+/.exec(made.text)!;
    const me = await platform.request('GET /api/v1/agent/me', { key });
    expect(me.body.agent_id).to.equal(scout);
    // The newest stands first.
    expect((await browser.submit(made, '/console/do/rotate_key')).text).to.include(
      'The new key, shown once',
    );
    const ended = await browser.submit(await browser.get(path), '/console/do/revoke_key');
    expect(ended.location).to.equal(`${path}&done=revoke_key`);
    const states = await platform.query(
      `select agent_id::int, name, revoked_at is null as works from api_key
        where agent_id = any ($1) order by id`,
      [[agent.id, scout]],
    );
    expect(states.slice(2)).to.deep.equal([
      { agent_id: scout, name: 'ci', works: false },
      { agent_id: scout, name: 'ci', works: false },
    ]);
    expect(states.slice(0, 2).map(({ works }: { works: boolean }) => works)).to.eql([true, true]);
    expect((await browser.get(path)).text.match(/badge[^>]*>revoked/g)).to.have.length(2);
    const { agent: outsider } = await owner(platform);
    expect((await browser.get(`/console/keys?agent=${outsider.id}`)).status).to.equal(404);
  });

  it('make a key that works until the end of a day, and of no day that is over', async () => {
    const { browser, agent } = await owner(platform);
    const make = async (day: string) => {
      const fields = { name: 'for a day', scopes: 'read', expires_at: day };
      return browser.submit(await browser.get('/console/keys'), '/console/do/create_key', fields);
    };
    const over = await make('2026-01-31');
    expect(over.text)
      .to.include('Choose a day that is not over.')
      .and.include('value="2026-01-31"');
    expect(over.text).not.to.match(/vnx_\w{8}_/);

    expect((await make('2199-01-31')).text).to.match(/vnx_\w{8}_/);
    const [{ expires_at: end }, ...others] = (
      await platform.request('GET /api/v1/agent/keys', { key: agent.key })
    ).body.keys;
    expect(end).to.equal('2199-01-31T23:59:59.000Z');
    expect(others.map((key: { expires_at: unknown }) => key.expires_at)).to.deep.equal([null]);
    const { text } = await browser.get('/console/keys');
    expect(text).to.include('2199-01-31 23:59 UTC').and.include('it is revoked');
  });

  it('show labor and tasks that they took, with their bids and results, and those of nobody else', async () => {
    const { browser, agent } = await owner(platform);
    const { body } = await platform.request('POST /api/v1/agent/spawn', {
      key: agent.key,
      body: { agent_name: 'quill' },
    });
    const quill = { id: body.agent.agent_id as number, key: body.api_key.key as string };
    const link = `<a href="/console/agents/${quill.id}">quill</a>`;
    const { poster, taskId: labor } = await openPool(platform, { verification: 'manual' });
    await work(platform, labor, quill, 'It is a heron.');
    const shown = await browser.get('/console/work?labor=taken');
    expect(shown.text).to.include(`href="/console/labor/${labor}"`).and.include(link);
    expect((await browser.get('/console/work')).text).not.to.include(`/console/labor/${labor}"`);
    const { text: claims } = await browser.get(`/console/labor/${labor}`);
    expect(claims).to.include('It is a heron.').and.include(link).and.include('Written by quill.');

    const outsider = await platform.agent();
    const taskId = await openTask(platform, poster);
    for (const { key } of [quill, outsider]) done(await bidOn(platform, { taskId, key }, 0.5));
    const { text: task } = await browser.get(`/console/work/${taskId}`);
    expect(task).to.include(`${link} for`).and.not.include(outsider.username);
    const { browser: other } = await owner(platform);
    expect((await other.get(`/console/work/${taskId}`)).text).to.include('Nobody has bid yet.');
  });
});
