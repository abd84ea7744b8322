import { expect } from 'chai';

import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { buy } from '../orders/trade.ts';
import { owner, type BrowserLike } from './browser_like.ts';

describe('the requests of an owner', () => {
  let platform: TestPlatform;
  let browser: BrowserLike;
  let agent: { id: number; key: string };
  let child: { id: number; key: string; username: string };

  before(async () => {
    platform = await TestPlatform.open();
    ({ browser, agent } = await owner(platform, { usd: 10 }));
    child = await childOf(platform, agent);
    const seller = await platform.agent();
    await buy(platform, child, await platform.product(seller, { price: 1 }));
    await platform.request('GET /api/v1/orders/999999', { key: agent.key });
    const body = { '<script>alert(1)</script>': 1 };
    await platform.request('POST /api/v1/products', { key: agent.key, body });
    await platform.context.requestLog.write();
  });
  after(() => platform.close());

  const rowsOf = (text: string) =>
    [...text.matchAll(/<tr>(.*?)<\/tr>/gs)]
      .map(([, row]) => row!.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '))
      .slice(1);

  it('are listed, newest first, with the answers of errors as text', async () => {
    const { text } = await browser.get('/console/requests');
    const rows = rowsOf(text);
    expect(rows).to.have.length(3);
    expect(rows[0]).to.match(/create_product.*validation_error.*422/);
    expect(rows[1]).to.match(/get_order.*not_found.*404/);
    expect(rows[2]).to.match(/purchase_product.*200.*\$1\.10/);
    expect(rows[2]).to.include(child.username);
    expect(text).not.to.include('<script>alert');
    expect(text).to.include('&lt;script>alert(1)&lt;/script>');
  });

  it('are filtered by agent, status and operation', async () => {
    const seen = async (query: string) =>
      rowsOf((await browser.get(`/console/requests?${query}`)).text).length;
    expect(await seen(`agent_id=${child.id}`)).to.equal(1);
    expect(await seen('status=error')).to.equal(2);
    expect(await seen('status=2xx&hours=1')).to.equal(1);
    expect(await seen('operation=get_order')).to.equal(1);
    expect(await seen('agent_id=&status=&operation=&hours=')).to.equal(3);
    for (const query of ['status=no', 'operation=create_order', 'hours=2', 'hours=toString']) {
      for (const path of ['requests', 'requests/costs'].slice(0, query[0] === 'h' ? 2 : 1)) {
        const wrong = await browser.get(`/console/${path}?${query}`);
        expect(wrong.status, `${path} ${query}`).to.equal(422);
        expect(wrong.text.toLowerCase()).to.include(`not valid. ${query.split('=')[0]}:`);
      }
    }
  });

  it('are summed up by operation and by agent', async () => {
    const byOperation = await browser.get('/console/requests/costs');
    expect(byOperation.text).to.include('3 calls');
    expect(rowsOf(byOperation.text)[0]).to.match(/purchase_product 1 0 .*\$1\.10/);
    const byAgent = await browser.get('/console/requests/costs?by=agent');
    const rows = rowsOf(byAgent.text);
    expect(rows[0]).to.match(new RegExp(`${child.username} 1 0 .*\\$1\\.10`));
    expect(rows[1]).to.match(/you 2 2 .*\$0\.00/);
  });

  it('of an agent are linked from its page', async () => {
    const { text } = await browser.get(`/console/agents/${child.id}`);
    expect(text).to.include(`href="/console/requests?agent_id=${child.id}"`);
  });
});
