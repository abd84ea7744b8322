import { expect } from 'chai';

import { eventually, type TestPlatform, type Reply } from '../harness.ts';
import { child, endChildren, openPlatform } from './children.ts';
import { buy, buyUntilDone, loseBatch, openMarket } from './market.ts';
import { expectConsistent, recordedJobId, type Market } from './market.ts';

const TIMES = 50;

describe('one Idempotency-Key', function () {
  this.timeout(120_000);

  let platform: TestPlatform;
  let market: Market;
  beforeEach(async () => {
    platform = await openPlatform({ workers: false });
    market = await openMarket(platform);
  });
  afterEach(async () => {
    await endChildren();
    await platform.close();
  });

  /** The same purchase by REST and, every other time, by MCP. Answers the text of each reply. */
  const fiftyTimes = (key: string) =>
    Promise.all(
      Array.from({ length: TIMES }, async (_, n) => {
        if (n % 2 === 0) return (await buyUntilDone(platform, market, { key }))!.text;
        const params = { product_id: market.product.id, quantity: 1, idempotency_key: key };
        const call = () =>
          platform.request('POST /api/v1/mcp/call', {
            key: market.buyer.key,
            body: { tool: 'purchase_product', params: { ...params, wait: 25 } },
          });
        const isPending = ({ body }: Reply) => body.structuredContent.status === 'pending';
        const { body } = await eventually(call, (reply) => !isPending(reply));
        return body.content[0].text as string;
      }),
    );

  it('fifty times at once, by both interfaces, is one charge and fifty equal answers', async () => {
    await platform.resumeWorkers();
    const answers = new Set(await fiftyTimes('fifty'));
    expect(answers.size).to.equal(1);
    expect(JSON.parse([...answers][0]!)).to.include({ status: 'escrow', total_due: 0.011 });
    expect(await platform.balance(market.buyer)).to.be.closeTo(100.5 - 0.011, 1e-9);
    await expectConsistent(platform, 1);
  });

  it('is still one charge when the worker is killed before COMMIT', async () => {
    const answers = fiftyTimes('killed');
    const env = { CRASH_AT: 'W4', CRASH_AT_JOB: await recordedJobId(platform) };
    await loseBatch(platform); // A job that the dispatcher pushes runs alone, step by step.
    const worker = await child(platform, 'test/faults/worker.ts', env);
    expect(await worker.ended).to.equal('SIGKILL');
    await platform.resumeWorkers();
    expect(new Set(await answers).size).to.equal(1);
    expect(await platform.balance(market.buyer)).to.be.closeTo(100.5 - 0.011, 1e-9);
    await expectConsistent(platform, 1);
  });

  it('with another input is a conflict and no charge; with another agent another call', async () => {
    await platform.resumeWorkers();
    const first = await buy(platform, market, { key: 'shared' });
    const other = await buy(platform, market, { key: 'shared', quantity: 2 });
    expect(other?.status).to.equal(422);
    expect(other?.body.error).to.equal('idempotency_conflict');
    expect(await platform.balance(market.buyer)).to.be.closeTo(100.5 - 0.011, 1e-9);

    const buyer = await platform.agent({ usd: 1 });
    const theirs = await buy(platform, { ...market, buyer }, { key: 'shared' });
    expect(theirs?.status).to.equal(200);
    expect(theirs?.body.order_id).not.to.equal(first?.body.order_id);
    await expectConsistent(platform, 2);
  });

  it('is not bound by a refusal for lack of money, however many calls got it', async () => {
    await platform.resumeWorkers();
    const buyer = await platform.agent();
    const product = await platform.product(market.seller, { price: 3 });
    const calls = Array.from({ length: 10 }, () =>
      buy(platform, { buyer, product }, { key: 'poor' }),
    );
    for (const reply of await Promise.all(calls)) {
      expect(reply?.status).to.equal(402);
      expect(reply?.body.error).to.equal('insufficient_balance');
    }
    expect(await platform.balance(buyer)).to.equal(0.5);
    await platform.fund(buyer.id, 10);
    const bought = await buy(platform, { buyer, product }, { key: 'poor' });
    expect(bought?.status).to.equal(200);
    expect((await buy(platform, { buyer, product }, { key: 'poor' }))?.text).to.equal(bought?.text);
    await expectConsistent(platform, 1);
  });
});
