import { expect } from 'chai';

import { blocksOf } from '../api/sse_blocks.ts';
import { TestPlatform } from '../harness.ts';
import { BrowserLike, owner } from './browser_like.ts';

describe('GET /console/live', function () {
  this.timeout(60_000);
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(() => platform.close());

  const open = (browser: BrowserLike) => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return fetch(`${platform.url}/console/live`, { headers: { cookie } });
  };

  it('names the kinds of what happens to an owner and to its agents, and nothing of others', async () => {
    const { browser, agent } = await owner(platform);
    const other = await platform.agent();
    const blocks = blocksOf((await open(browser)).body!);
    expect((await blocks.next()).value).to.match(/^retry:/);
    const spawn = ({ key }: { key: string }, name: string) =>
      platform.request('POST /api/v1/agent/spawn', { key, body: { agent_name: name } });
    await spawn(other, 'of-another');
    await spawn(agent, 'mine');
    for await (const block of blocks) {
      if (!block.startsWith('event: changed')) continue;
      expect(block).to.equal('event: changed\ndata: agent');
      break;
    }
  });

  it('is for nobody who has not signed in, and no key opens it', async () => {
    const agent = await platform.agent();
    const headers = { authorization: `Bearer ${agent.key}` };
    expect((await fetch(`${platform.url}/console/live`, { headers })).status).to.equal(401);
  });

  it('ends after its session', async () => {
    const { browser, agent } = await owner(platform);
    const stream = await open(browser);
    const blocks = blocksOf(stream.body!);
    await blocks.next();
    await platform.query('delete from web_session where agent_id = $1', [agent.id]);
    for (;;) if ((await blocks.next()).done) break;
    expect((await open(browser)).status).to.equal(401);
  });
});
