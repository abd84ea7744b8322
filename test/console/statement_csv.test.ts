import { expect } from 'chai';

import { csvLine } from '../../shared/kernel/terms/csv.ts';
import { TestPlatform } from '../harness.ts';
import { buy } from '../orders/trade.ts';
import { BrowserLike, owner } from './browser_like.ts';

const PATH = '/console/money/statement.csv';

describe('the statement as a file', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  it('has a line of each movement that the page would show, with the same filters', async () => {
    const { agent, browser } = await owner(platform, { usd: 5 });
    const product = await platform.product(await platform.agent(), { price: 0.5 });
    await buy(platform, agent, product);
    const { body } = await platform.request('GET /api/v1/wallet/statement', { key: agent.key });
    const reply = await browser.get(PATH);
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.match(/^text\/csv/);
    expect(reply.headers.get('content-disposition')).to.include('attachment');
    const [head, ...lines] = reply.text.trimEnd().split('\r\n');
    expect(head).to.match(/^time,kind,description,.*,amount_usd,balance_usd$/);
    const figures = lines.map((line) => line.split(',').slice(-2));
    expect(figures).to.deep.equal(
      body.entries.map((entry: { amount: number; balance_after: number }) => [
        String(entry.amount),
        String(entry.balance_after),
      ]),
    );
    const deposits = await browser.get(`${PATH}?kind=deposit.*&from=2020-01-01&to=2999-12-31`);
    expect(deposits.text.trimEnd().split('\r\n')).to.have.length(2);
    expect((await browser.get(`${PATH}?to=2020-01-01`)).text).to.equal(`${head}\r\n`);
    // A file of more than was asked for would be taken for what was asked for.
    for (const wrong of ['from=x', 'to=2026-02-30', 'kind=y']) {
      for (const path of [PATH, '/console/money']) {
        expect((await browser.get(`${path}?${wrong}`)).status, wrong).to.equal(422);
      }
    }
    const page = await browser.get('/console/money?kind=deposit.*');
    expect(page.text).to.include(`${PATH}?kind=deposit.*`).and.not.to.include('Paid into escrow');
  });

  it('is for its owner', async () => {
    expect((await new BrowserLike(platform).get(PATH)).status).to.equal(401);
    const { agent } = await owner(platform);
    const { status } = await platform.request(`GET ${PATH}`, { key: agent.key });
    expect(status).to.equal(401);
  });

  it('holds nothing that a spreadsheet would calculate', () => {
    const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'a "b", c', 'plain', -1.5, 1e-6];
    expect(csvLine([...cells, null])).to.equal(
      `'=1+1,'+1,'-1,'@SUM(A1),'\tx,"'\rx","a ""b"", c",plain,-1.5,0.000001,\r\n`,
    );
  });
});
